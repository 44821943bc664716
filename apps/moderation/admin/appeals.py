"""The queue of appeals, and their answers."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.contrib import admin
from django.db.models import Case, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.core.admin.base import ModelAdmin, ReadOnly, labelled
from apps.core.admin.decisions import Decides, Decision, page_action, rows_at
from apps.moderation.admin.forms import AnswerForm
from apps.moderation.admin.people import history_link
from apps.moderation.models import Appeal
from apps.moderation.services import appeals

_COLORS = {"Open": "warning", "Decision reversed": "success", "Decision upheld": "info"}
OWN = "You made this decision. Have another moderator answer the appeal, if there is one."


def _grant(appeal: Appeal, values: Mapping[str, Any], request: HttpRequest) -> None:
    appeals.grant_appeal(appeal=appeal, answer=values["answer"], by=actor_of(request, via="admin"))


def _deny(appeal: Appeal, values: Mapping[str, Any], request: HttpRequest) -> None:
    appeals.deny_appeal(appeal=appeal, answer=values["answer"], by=actor_of(request, via="admin"))


def _why_not(appeal: Appeal) -> str:
    return "Already decided." if appeal.outcome else ""


def _effects(appeal: Appeal) -> list[str]:
    decision = appeal.decision
    return [
        f"{decision.get_action_display()} by {decision.by or 'a deleted account'}: {decision.reason}",
        f"Appeal: {appeal.text}",
    ]


REVERSE = Decision(
    title="Reverse decision",
    explanation=["The text or listing is public again as before. The author gets your answer by email."],
    done="Decisions reversed",
    decide=_grant,
    why_not=_why_not,
    effects=_effects,
    form=AnswerForm,
)
UPHOLD = Decision(
    title="Uphold decision",
    explanation=["The decision stays. The author gets your answer by email, and can't appeal it again."],
    done="Decisions upheld",
    decide=_deny,
    why_not=_why_not,
    effects=_effects,
    form=AnswerForm,
)


@admin.register(Appeal)
class AppealAdmin(Decides, ReadOnly, ModelAdmin):
    list_display = ("about", "author", "state", "decided_by", "created_at")
    list_filter = ("outcome", "decision__case__kind", "decision__case__site")
    search_fields = ("decision__case__title", "decision__author__email", "text")
    show_full_result_count = False
    # Open ones come first, the oldest on top.
    ordering = (Case(When(outcome="", then=0), default=1).asc(), "pk")
    actions_detail = ("reverse_one", "uphold_one")
    fieldsets = (
        ("Decision", {"fields": ("about", "author", "history", "reason", "decided_by", "was")}),
        ("Appeal", {"fields": ("created_at", "text")}),
        ("Answer", {"fields": ("state", "answer", "by", "decided_at")}),
    )
    readonly_fields = ("about", "author", "history", "reason", "decided_by", "was", "state")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Appeal]:
        result: QuerySet[Appeal] = super().get_queryset(request)
        return result.select_related("decision__case", "decision__author", "decision__by", "by")

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {"reverse_one": _why_not, "uphold_one": _why_not}

    @admin.display(description="about", ordering="decision__case__title")
    def about(self, appeal: Appeal) -> str:
        return appeal.decision.case.title

    @admin.display(description="author", ordering="decision__author__email")
    def author(self, appeal: Appeal) -> str:
        return str(appeal.decision.author)

    @admin.display(description="author's history")
    def history(self, appeal: Appeal) -> SafeString:
        return history_link(appeal.decision.author)

    @admin.display(description="reason of the decision")
    def reason(self, appeal: Appeal) -> str:
        return appeal.decision.reason

    @admin.display(description="decided by", ordering="decision__by__email")
    def decided_by(self, appeal: Appeal) -> User | None:
        return appeal.decision.by

    @admin.display(description="text at the time")
    def was(self, appeal: Appeal) -> str:
        return appeal.decision.text

    @labelled(description="status", ordering="outcome", colors=_COLORS)
    def state(self, appeal: Appeal) -> str:
        return str(appeal.get_outcome_display()) if appeal.outcome else "Open"

    @page_action(description="Reverse decision", permissions=["decide"], icon="undo")
    def reverse_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._ask(request, object_id, REVERSE)

    @page_action(description="Uphold decision", permissions=["decide"], icon="check")
    def uphold_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._ask(request, object_id, UPHOLD)

    def _ask(self, request: HttpRequest, object_id: str, decision: Decision) -> HttpResponse:
        """Suggest that somebody else answers an appeal against one's own decision."""
        if rows_at(Appeal.objects.filter(decision__by=request.user.pk), object_id).exists():
            decision = replace(decision, explanation=[OWN, *decision.explanation])
        return self.ask_about(request, object_id, decision)
