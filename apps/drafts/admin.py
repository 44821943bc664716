from django.contrib import admin

from apps.core.admin import ModelAdmin
from apps.drafts.models import Draft


@admin.register(Draft)
class DraftAdmin(ModelAdmin):
    list_display = ("url", "owner", "site", "status", "error_code", "attempt", "created_at", "finished_at")
    list_filter = ("status", "error_code", "site")
    list_select_related = ("owner", "site")
    search_fields = ("url", "owner__email")
    date_hierarchy = "created_at"
    # What was read for whom is a record: the team looks at it, and changes the listing instead.
    fields = (
        "url",
        "website",
        "owner",
        "site",
        "status",
        "error_code",
        "error_message",
        "listing",
        "rereads",
        "attempt",
        "leased_until",
        "queued_at",
        "pages_done",
        "pages_planned",
        "proposal",
        "evidence",
        "missing",
        "edited",
        "created_at",
        "finished_at",
        "submitted_at",
    )
    readonly_fields = fields

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False
