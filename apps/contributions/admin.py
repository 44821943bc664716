"""The queue of moderators and their confirmed decisions, for each kind of contribution."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.accounts.actors import actor_of
from apps.contributions.kinds import ContributionKind
from apps.core.admin.base import ModelAdmin, TakenAlong, labelled
from apps.core.admin.decisions import Decides, Decision, page_action
from apps.moderation.admin.forms import NoteForm
from apps.moderation.admin.pages import HasCase, removal
from apps.moderation.kinds import kinds

_COLORS = {"Posted": "success", "Public": "success", "In review": "warning", "Removed": "danger", "Hidden": "info"}


class ContributionAdmin(HasCase, Decides, TakenAlong, ModelAdmin):
    """Read-only pages of contributions, with the decisions of moderators about their kind."""

    list_filter_submit = True
    search_fields: ClassVar[tuple[str, ...]] = ("text", "author__email", "listing__slug", "listing__company__name")
    show_full_result_count = False
    actions = ("approve", "remove", "restore")
    actions_detail: ClassVar[tuple[str, ...]] = ("approve_one", "remove_one", "restore_one", "see_case")
    readonly_fields = ("state", "page")

    @property
    def kind(self) -> ContributionKind:
        return cast("ContributionKind", kinds()[self.case_kind])

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return self.kind.rows()

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {
            "approve_one": self.kind.why_not_approve,
            "remove_one": self.kind.why_not_remove,
            "restore_one": self.kind.why_not_restore,
        }

    @labelled(description="status", ordering="status", colors=_COLORS)
    def state(self, row: Any) -> str:
        return str(row.get_status_display())

    @admin.display(description="page")
    def page(self, row: Any) -> SafeString:
        written = self.kind.written(row)
        address = written.site.url(written.path)
        return format_html('<a class="text-primary-600 dark:text-primary-500" href="{0}">{0}</a>', address)

    @admin.action(description="Approve", permissions=["decide"])
    def approve(self, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse:
        return self._ask(request, rows, self._approval)

    @admin.action(description="Remove with a reason", permissions=["decide"])
    def remove(self, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse:
        return self._ask(request, rows, removal(self.kind))

    @admin.action(description="Restore", permissions=["decide"])
    def restore(self, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse:
        return self._ask(request, rows, self._restoring)

    @page_action(description="Approve", permissions=["decide"], icon="check")
    def approve_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, self._approval)

    @page_action(description="Remove", permissions=["decide"], icon="close", is_dangerous=True)
    def remove_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, removal(self.kind))

    @page_action(description="Restore", permissions=["decide"], icon="visibility")
    def restore_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, self._restoring)

    def _ask(self, request: HttpRequest, rows: QuerySet[Any], decision: Decision) -> HttpResponse:
        return self.ask(request, rows, decision, back=request.get_full_path())

    @property
    def _approval(self) -> Decision:
        kind = self.kind
        return Decision(
            title="Approve",
            explanation=[kind.approving, "Their reports are closed."],
            done="Approved",
            decide=_decide(kind.approve),
            why_not=kind.why_not_approve,
            effects=kind.effects,
            form=NoteForm,
        )

    @property
    def _restoring(self) -> Decision:
        kind = self.kind
        return Decision(
            title="Restore",
            explanation=["Everybody can read them again."],
            done="Restored",
            decide=_decide(kind.publish_again),
            why_not=kind.why_not_restore,
            effects=kind.effects,
            form=NoteForm,
        )


def _decide(command: Callable[..., object]) -> Callable[[Any, Mapping[str, Any], HttpRequest], object]:
    return lambda row, values, request: command(row, by=actor_of(request, via="admin"), **values)
