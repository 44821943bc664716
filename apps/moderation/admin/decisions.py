"""What moderators and owners decided, in the admin: read-only."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.core.admin.base import ModelAdmin, ReadOnly, labelled
from apps.moderation.models import Decision

_COLORS = {"Removed": "danger", "Rejected": "danger", "Restored": "success", "Approved": "success"}


@admin.register(Decision)
class DecisionAdmin(ReadOnly, ModelAdmin):
    list_display = ("case", "decided", "author", "by", "reason", "at")
    list_filter = ("action", "case__kind", "case__site", "at")
    search_fields = ("case__title", "author__email", "by__email", "reason")
    show_full_result_count = False
    fields = ("case", "decided", "author", "by", "at", "reason", "note", "text")
    readonly_fields = ("decided",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Decision]:
        result: QuerySet[Decision] = super().get_queryset(request)
        return result.select_related("case", "author", "by")

    @labelled(description="decision", ordering="action", colors=_COLORS)
    def decided(self, decision: Decision) -> str:
        return str(decision.get_action_display())
