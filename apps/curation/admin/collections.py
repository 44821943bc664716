"""Collections in the admin: read-only, with the decisions of moderators. Private ones are not shown."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.contributions.admin import ContributionAdmin
from apps.core.admin.base import ReadOnlyInline
from apps.curation.models import Collection, CollectionItem


class ItemInline(ReadOnlyInline):
    model = CollectionItem
    verbose_name_plural = "listings"
    fields = ("listing", "note", "added_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[CollectionItem]:
        result: QuerySet[CollectionItem] = super().get_queryset(request)
        return result.select_related("listing__company", "listing__site")


@admin.register(Collection)
class CollectionAdmin(ContributionAdmin):
    case_kind = "collection"
    list_display = ("name", "author", "site", "state", "review_reason", "follower_count", "created_at")
    list_filter = ("status", "review_reason", "site", "created_at")
    search_fields = ("name", "description", "author__email")
    inlines = (ItemInline,)
    fields = (
        "site",
        "author",
        "name",
        "description",
        "state",
        "review_reason",
        "removed_reason",
        "page",
        "follower_count",
        "created_at",
        "changed_at",
        "published_at",
    )
