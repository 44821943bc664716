"""Collections in the admin: read-only, with the decisions of moderators. Private ones are not shown."""

from operator import attrgetter

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.contributions.admin import ContributionAdmin, Decisions, OfContribution
from apps.curation.models import Collection, CollectionItem
from apps.curation.services import moderation


class ItemInline(OfContribution):
    model = CollectionItem
    verbose_name_plural = "listings"
    fields = ("listing", "note", "added_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[CollectionItem]:
        result: QuerySet[CollectionItem] = super().get_queryset(request)
        return result.select_related("listing__company", "listing__site")


def _effects(collection: Collection) -> list[str]:
    return [f"By {collection.author} on {collection.site}, {collection.items.count()} listings"]


@admin.register(Collection)
class CollectionAdmin(ContributionAdmin):
    decisions = Decisions(
        noun="collections",
        approve=lambda collection, by: moderation.approve_collection(collection=collection),
        remove=lambda collection, by, reason: moderation.remove_collection(collection=collection, reason=reason),
        restore=lambda collection, by: moderation.restore_collection(collection=collection),
        effects=_effects,
        approve_explanation="Everybody sees the collections.",
        probation="A moderator reads the author's other collections before they become public.",
        keeps_notes=False,
    )
    page_url = staticmethod(attrgetter("page_url"))
    loaded = ("site",)
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

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collection]:
        return super().get_queryset(request).exclude(status=Collection.Status.PRIVATE)
