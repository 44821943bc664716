"""Collections in the admin: read-only, with the decisions of moderators. Private ones are not shown."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.admin import TabularInline

from apps.core.admin.base import ModelAdmin, ReadOnly, TakenAlong, labelled
from apps.core.admin.decisions import Decides, Decision, page_action, rows_at
from apps.curation.admin.decisions import APPROVE, BUTTONS, REMOVE, RESTORE
from apps.curation.models import Collection, CollectionItem

_COLORS = {"Public": "success", "In review": "warning", "Removed": "danger"}


class ItemInline(ReadOnly, TabularInline):  # type: ignore[misc]  # published without type information
    model = CollectionItem
    extra = 0
    hide_title = True
    verbose_name_plural = "listings"
    fields = ("listing", "note", "added_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[CollectionItem]:
        result: QuerySet[CollectionItem] = super().get_queryset(request)
        return result.select_related("listing__company", "listing__site")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Everybody with permission to view a collection can view its listings."""
        user = request.user
        return bool(user.has_perm("curation.view_collection") or user.has_perm("curation.change_collection"))


@admin.register(Collection)
class CollectionAdmin(Decides, TakenAlong, ModelAdmin):
    list_display = ("name", "author", "site", "state", "review_reason", "follower_count", "created_at")
    list_filter = ("status", "review_reason", "site", "created_at")
    list_filter_submit = True
    search_fields = ("name", "description", "author__email")
    show_full_result_count = False
    inlines = (ItemInline,)
    actions = ("approve", "remove", "restore")
    actions_detail = ("approve_one", "remove_one", "restore_one")
    fields = (
        "site",
        "author",
        "name",
        "description",
        "state",
        "review_reason",
        "removed_reason",
        "follower_count",
        "created_at",
        "changed_at",
        "published_at",
    )
    readonly_fields = ("state",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Collection]:
        result: QuerySet[Collection] = super().get_queryset(request)
        return result.exclude(status=Collection.Status.PRIVATE).select_related("author", "site")

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        result = super().get_actions_detail(request, object_id)
        collection = rows_at(self.get_queryset(request), object_id).first()
        if collection is None:
            return []
        hidden = {f"curation_collection_{name}" for name, why_not in BUTTONS.items() if why_not(collection)}
        return [action for action in result if action.action_name not in hidden]

    @labelled(description="status", ordering="status", colors=_COLORS)
    def state(self, collection: Collection) -> str:
        return str(collection.get_status_display()).replace("_", " ").capitalize()

    def has_decide_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        """The page itself is read-only, so the change permission controls its decisions."""
        return bool(request.user.has_perm("curation.change_collection"))

    @admin.action(description="Approve", permissions=["decide"])
    def approve(self, request: HttpRequest, collections: QuerySet[Collection]) -> HttpResponse:
        return self._ask(request, collections, APPROVE)

    @admin.action(description="Remove with a reason", permissions=["decide"])
    def remove(self, request: HttpRequest, collections: QuerySet[Collection]) -> HttpResponse:
        return self._ask(request, collections, REMOVE)

    @admin.action(description="Restore", permissions=["decide"])
    def restore(self, request: HttpRequest, collections: QuerySet[Collection]) -> HttpResponse:
        return self._ask(request, collections, RESTORE)

    @page_action(description="Approve", permissions=["decide"], icon="check")
    def approve_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, APPROVE)

    @page_action(description="Remove", permissions=["decide"], icon="close", is_dangerous=True)
    def remove_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, REMOVE)

    @page_action(description="Restore", permissions=["decide"], icon="visibility")
    def restore_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, RESTORE)

    def _ask(self, request: HttpRequest, collections: QuerySet[Collection], decision: Decision) -> HttpResponse:
        return self.ask(request, collections, decision, back=request.get_full_path())
