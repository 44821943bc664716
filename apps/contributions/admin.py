"""The queue of moderators and their confirmed decisions, for each kind of contribution."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import TabularInline
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.accounts.actors import actor_of
from apps.contributions.models import MAX_REASON_LENGTH
from apps.core.admin.base import ModelAdmin, ReadOnly, TakenAlong, labelled
from apps.core.admin.decisions import Decides, Decision, NoQuestion, page_action, rows_at
from apps.core.web.forms import CleanTextField

_COLORS = {"Posted": "success", "Public": "success", "In review": "warning", "Removed": "danger", "Hidden": "info"}


class NoteForm(forms.Form):
    note = CleanTextField(
        max_length=MAX_REASON_LENGTH,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="For moderators only. Kept in the history.",
    )


class ReasonForm(forms.Form):
    reason = CleanTextField(
        max_length=MAX_REASON_LENGTH,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Sent to the author by email.",
    )


class RemoveForm(ReasonForm, NoteForm):
    field_order = ("reason", "note")


def why_not_approve(row: Any) -> str:
    return "" if row.status == "in_review" else "Not in review."


def why_not_remove(row: Any) -> str:
    problems = {"removed": "Already removed.", "deleted": "Deleted by its author.", "private": "Private."}
    return problems.get(str(row.status), "")


def why_not_restore(row: Any) -> str:
    return "" if row.status == "removed" else "Not removed."


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """What moderators decide about one kind, called `noun` in plural.

    Each command gets a row, `by`, and a note where the kind `keeps_notes`.
    """

    noun: str
    approve: Callable[..., object]
    remove: Callable[..., object]
    restore: Callable[..., object]
    effects: Callable[[Any], Sequence[str]]
    approve_explanation: str
    why_not_approve: Callable[[Any], str] = why_not_approve
    probation: str = "For 30 days, a moderator reads the author's {noun} before they appear."
    keeps_notes: bool = True

    @property
    def approving(self) -> Decision:
        return self._decision("Approve", "approved", self.approve, self.why_not_approve, [self.approve_explanation])

    @property
    def removing(self) -> Decision:
        explanation = [
            f"The {self.noun} disappear from all public pages immediately. The author gets the reason by email.",
            self.probation.format(noun=self.noun),
        ]
        form = RemoveForm if self.keeps_notes else ReasonForm
        return self._decision("Remove", "removed", self.remove, why_not_remove, explanation, form=form)

    @property
    def restoring(self) -> Decision:
        explanation = [f"The {self.noun} are public again."]
        return self._decision("Restore", "restored", self.restore, why_not_restore, explanation)

    def _decision(
        self,
        title: str,
        done: str,
        command: Callable[..., object],
        why_not: Callable[[Any], str],
        explanation: Sequence[str],
        *,
        form: type[forms.Form] | None = None,
    ) -> Decision:
        def decide(row: Any, values: Mapping[str, Any], request: HttpRequest) -> None:
            command(row, by=actor_of(request, via="admin"), **values)

        return Decision(
            title=title,
            explanation=explanation,
            done=f"{self.noun.capitalize()} {done}",
            decide=decide,
            why_not=why_not,
            effects=self.effects,
            form=form or (NoteForm if self.keeps_notes else NoQuestion),
            is_dangerous=form is not None,
        )


class OfContribution(ReadOnly, TabularInline):  # type: ignore[misc]  # published without type information
    """Rows that belong to a contribution, for everybody who may read it."""

    extra = 0
    hide_title = True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        of = self.parent_model._meta  # noqa: SLF001 - Django's documented way to a model's names
        return any(request.user.has_perm(f"{of.app_label}.{verb}_{of.model_name}") for verb in ("view", "change"))


class DecisionInline(OfContribution):
    verbose_name_plural = "history"
    fields = ("at", "action", "by", "reason", "note")


class ContributionAdmin(Decides, TakenAlong, ModelAdmin):
    """Read-only pages of contributions, with the buttons of `decisions`. `page_url` links to the public page.

    `loaded` are relations whose names the pages show.
    """

    decisions: ClassVar[Decisions]
    loaded: ClassVar[tuple[str, ...]] = ("listing__company", "listing__site")
    page_url: ClassVar[Any]
    list_filter_submit = True
    search_fields = ("text", "author__email", "listing__slug", "listing__company__name")
    show_full_result_count = False
    actions = ("approve", "remove", "restore")
    actions_detail: ClassVar[tuple[str, ...]] = ("approve_one", "remove_one", "restore_one")
    readonly_fields = ("state", "page")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        result: QuerySet[Any] = super().get_queryset(request)
        return result.select_related("author", *self.loaded)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        result = super().get_actions_detail(request, object_id)
        row = rows_at(self.get_queryset(request), object_id).first()
        if row is None:
            return []
        prefix = f"{self.opts.app_label}_{self.opts.model_name}"
        hidden = {f"{prefix}_{name}" for name, problem in self.why_hidden().items() if problem(row)}
        return [action for action in result if action.action_name not in hidden]

    def why_hidden(self) -> dict[str, Callable[[Any], str]]:
        """Return by the name of each button what says why it isn't shown."""
        return {
            "approve_one": self.decisions.why_not_approve,
            "remove_one": why_not_remove,
            "restore_one": why_not_restore,
        }

    @labelled(description="status", ordering="status", colors=_COLORS)
    def state(self, row: Any) -> str:
        return str(row.get_status_display()).replace("_", " ").capitalize()

    @admin.display(description="page")
    def page(self, row: Any) -> SafeString:
        address = self.page_url(row)
        return format_html('<a class="text-primary-600 dark:text-primary-500" href="{0}">{0}</a>', address)

    def has_decide_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        """The page itself is read-only, so the change permission controls its decisions."""
        return bool(request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}"))

    @admin.action(description="Approve", permissions=["decide"])
    def approve(self, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse:
        return self._ask(request, rows, self.decisions.approving)

    @admin.action(description="Remove with a reason", permissions=["decide"])
    def remove(self, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse:
        return self._ask(request, rows, self.decisions.removing)

    @admin.action(description="Restore", permissions=["decide"])
    def restore(self, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse:
        return self._ask(request, rows, self.decisions.restoring)

    @page_action(description="Approve", permissions=["decide"], icon="check")
    def approve_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, self.decisions.approving)

    @page_action(description="Remove", permissions=["decide"], icon="close", is_dangerous=True)
    def remove_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, self.decisions.removing)

    @page_action(description="Restore", permissions=["decide"], icon="visibility")
    def restore_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, self.decisions.restoring)

    def _ask(self, request: HttpRequest, rows: QuerySet[Any], decision: Decision) -> HttpResponse:
        return self.ask(request, rows, decision, back=request.get_full_path())
