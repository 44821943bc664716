"""Comments in the admin: read-only, with the queue of moderators and their decisions."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.comments.admin.decisions import APPROVE, BUTTONS, REMOVE, RESTORE
from apps.comments.announcing import page_url
from apps.comments.models import Comment
from apps.core.admin.base import ModelAdmin, TakenAlong, labelled
from apps.core.admin.decisions import Decides, Decision, page_action, rows_at
from apps.moderation.admin.pages import HasCase

_COLORS = {"Posted": "success", "In review": "warning", "Removed": "danger", "Hidden": "info"}


@admin.register(Comment)
class CommentAdmin(HasCase, Decides, TakenAlong, ModelAdmin):
    case_kind = "comment"
    list_display = ("__str__", "listing", "author", "state", "review_reason", "created_at")
    list_filter = ("status", "review_reason", "listing__site", "created_at")
    list_filter_submit = True
    search_fields = ("text", "author__email", "listing__slug", "listing__company__name")
    show_full_result_count = False
    actions = ("approve", "remove", "restore")
    actions_detail = ("approve_one", "remove_one", "restore_one", "see_case")
    fields = (
        "listing",
        "author",
        "parent",
        "text",
        "state",
        "review_reason",
        "removed_reason",
        "page",
        "created_at",
        "edited_at",
    )
    readonly_fields = ("state", "page")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Comment]:
        result: QuerySet[Comment] = super().get_queryset(request)
        return result.select_related("author", "listing__company", "listing__site")

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        result = super().get_actions_detail(request, object_id)
        comment = rows_at(Comment.objects.all(), object_id).first()
        if comment is None:
            return []
        hidden = {f"comments_comment_{name}" for name, why_not in BUTTONS.items() if why_not(comment)}
        return [action for action in result if action.action_name not in hidden]

    @labelled(description="status", ordering="status", colors=_COLORS)
    def state(self, comment: Comment) -> str:
        return str(comment.get_status_display()).replace("_", " ").capitalize()

    @admin.display(description="page")
    def page(self, comment: Comment) -> SafeString:
        address = page_url(comment)
        return format_html('<a class="text-primary-600 dark:text-primary-500" href="{0}">{0}</a>', address)

    def has_decide_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        """The page itself is read-only, so the change permission controls its decisions."""
        return bool(request.user.has_perm("comments.change_comment"))

    @admin.action(description="Approve", permissions=["decide"])
    def approve(self, request: HttpRequest, comments: QuerySet[Comment]) -> HttpResponse:
        return self._ask(request, comments, APPROVE)

    @admin.action(description="Remove with a reason", permissions=["decide"])
    def remove(self, request: HttpRequest, comments: QuerySet[Comment]) -> HttpResponse:
        return self._ask(request, comments, REMOVE)

    @admin.action(description="Restore", permissions=["decide"])
    def restore(self, request: HttpRequest, comments: QuerySet[Comment]) -> HttpResponse:
        return self._ask(request, comments, RESTORE)

    @page_action(description="Approve", permissions=["decide"], icon="check")
    def approve_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, APPROVE)

    @page_action(description="Remove", permissions=["decide"], icon="close", is_dangerous=True)
    def remove_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, REMOVE)

    @page_action(description="Restore", permissions=["decide"], icon="visibility")
    def restore_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, RESTORE)

    def _ask(self, request: HttpRequest, comments: QuerySet[Comment], decision: Decision) -> HttpResponse:
        return self.ask(request, comments, decision, back=request.get_full_path())
