"""Decisions of site admins: shown with their effects first, then confirmed and carried out by a POST."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.core.errors import DomainError

# Nobody reads a longer list, and its form would have more fields than Django accepts.
MAX_AT_ONCE = 200

_Method = TypeVar("_Method", bound=Callable[..., Any])
_Row = TypeVar("_Row", bound=Model)


class NoQuestion(forms.Form):
    """A decision that needs only a confirmation."""


class ReasonForm(forms.Form):
    """A decision whose reason is sent to the owner."""

    reason = forms.CharField(
        max_length=300,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Sent to the owner by email and shown with the listing.",
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """One kind of decision.

    `decide` gets a row, the form's values and the request, and raises a DomainError to refuse. `why_not` returns a
    sentence if a row can't be decided, or nothing. `effects` returns a sentence for each effect on a row. `explanation`
    holds paragraphs, and `done` is the message with the number of rows.
    """

    title: str
    explanation: Sequence[str]
    done: str
    decide: Callable[[Any, Mapping[str, Any], HttpRequest], object]
    why_not: Callable[[Any], str] = lambda row: ""
    effects: Callable[[Any], Sequence[str]] = lambda row: ()
    form: type[forms.Form] = NoQuestion
    is_dangerous: bool = False


def page_action(
    *, description: str, permissions: Sequence[str], icon: str = "", is_dangerous: bool = False, is_main: bool = False
) -> Callable[[_Method], _Method]:
    """A button above a row's or a list's page, for people who have the permissions."""

    def wrap(method: _Method) -> _Method:
        plain = ActionVariant.PRIMARY if is_main else ActionVariant.DEFAULT
        variant = ActionVariant.DANGER if is_dangerous else plain
        made = action(method, description=description, permissions=permissions, icon=icon or None, variant=variant)
        return cast("_Method", made)

    return wrap


class Decides:
    """For admin pages that take decisions."""

    def has_decide_permission(self: Any, request: HttpRequest, object_id: object = None) -> bool:
        """Decisions need the permission to change, also where the page is read-only."""
        return bool(request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}"))

    def ask(self: Any, request: HttpRequest, rows: QuerySet[Any], decision: Decision, *, back: str) -> HttpResponse:
        """Show what a decision will do to the rows, and carry it out when the page is confirmed."""
        chosen = list(rows.order_by("pk")[: MAX_AT_ONCE + 1])
        if len(chosen) > MAX_AT_ONCE:
            self.message_user(request, f"Select up to {MAX_AT_ONCE}.", messages.ERROR)
            return HttpResponseRedirect(back)
        is_confirmed = request.method == "POST" and "confirmed" in request.POST
        form = decision.form(request.POST if is_confirmed else None)
        if is_confirmed and form.is_valid():
            self._carry_out(request, chosen, decision, form.cleaned_data)
            return HttpResponseRedirect(back)
        lines = [_line(row, decision) for row in chosen]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": decision.title,
            "decision": decision,
            "form": form,
            "lines": lines,
            "can_decide": any(not problem for _, problem, _ in lines),
            "action": request.POST.get("action", ""),
            "action_checkbox_name": ACTION_CHECKBOX_NAME,
            "back": back,
            "media": self.media + form.media,
        }
        return TemplateResponse(request, "admin/decision.html", context)

    def ask_about(self: Any, request: HttpRequest, object_id: str, decision: Decision) -> HttpResponse:
        """Do the same for one row, from its own page, and return there."""
        rows = rows_at(self.get_queryset(request), object_id)
        if not rows.exists():
            return cast("HttpResponse", self._get_obj_does_not_exist_redirect(request, self.opts, object_id))
        return cast("HttpResponse", self.ask(request, rows, decision, back=admin_url(self, "change", object_id)))

    def _carry_out(
        self: Any, request: HttpRequest, rows: Sequence[Model], decision: Decision, values: Mapping[str, Any]
    ) -> None:
        done = 0
        for row in rows:
            try:
                decision.decide(row, values, request)
            except DomainError as error:
                self.message_user(request, f"{row}: {error.detail}", messages.ERROR)
            else:
                self.log_change(request, row, f"{decision.title}.")
                done += 1
        if done:
            self.message_user(request, f"{decision.done}: {done}.", messages.SUCCESS)


def _line(row: Model, decision: Decision) -> tuple[Model, str, Sequence[str]]:
    """A row with the reason why it can't be decided, or the effects of the decision."""
    problem = decision.why_not(row)
    return row, problem, () if problem else decision.effects(row)


def rows_at(rows: QuerySet[_Row], object_id: object) -> QuerySet[_Row]:
    """Return the row with the id in the URL, or None if that is not a number."""
    return rows.filter(pk=object_id) if str(object_id).isdecimal() else rows.none()


def admin_url(page: Any, name: str, *args: object) -> str:
    """Return the URL of one of an admin page's own views, such as `changelist`."""
    return reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_{name}", args=args)
