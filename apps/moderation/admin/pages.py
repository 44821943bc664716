"""What other admin pages show of moderation."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth import get_permission_codename
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from apps.accounts.actors import actor_of
from apps.core.admin.decisions import Decides, Decision, admin_url, page_action, rows_at
from apps.moderation.admin.forms import RemoveForm
from apps.moderation.kinds import Kind, kinds
from apps.moderation.models import Case


class HasCase:
    """For pages of what can be reported: adds the button `see_case`. `case_kind` is the name of its kind."""

    case_kind: str

    def has_case_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return bool(request.user.has_perm("moderation.view_case"))

    @page_action(description="Reports and history", permissions=["case"], icon="gavel")
    def see_case(self: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        """Reports about this, and what was decided."""
        case = Case.objects.filter(kind=self.case_kind, object_id=object_id).first()
        if case is None:
            messages.info(request, "Nobody has reported this, and nothing was decided about it.")
            return HttpResponseRedirect(admin_url(self, "change", object_id))
        return HttpResponseRedirect(reverse("admin:moderation_case_change", args=[case.pk]))


class RemovesTexts(HasCase, Decides):
    """For pages of texts that moderators can only read and remove with a reason."""

    actions = ("remove",)
    actions_detail = ("remove_one", "see_case")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_remove_permission(self: Any, request: HttpRequest, object_id: object = None) -> bool:
        """The page itself is read-only. The delete permission controls removal with a reason."""
        return bool(request.user.has_perm(f"{self.opts.app_label}.{get_permission_codename('delete', self.opts)}"))

    @admin.action(description="Remove with a reason", permissions=["remove"])
    def remove(self, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse:
        return self.ask(request, rows, removal(kinds()[self.case_kind]), back=request.get_full_path())

    @page_action(description="Remove", permissions=["remove"], icon="close", is_dangerous=True)
    def remove_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        rows = self.get_queryset(request)  # type: ignore[attr-defined]  # of the admin page that this is mixed into
        chosen = rows_at(rows, object_id)
        back = admin_url(self, "changelist")
        return self.ask(request, chosen, removal(kinds()[self.case_kind]), back=back)


def removal(kind: Kind) -> Decision:
    """Return the decision to remove rows of a kind."""
    return Decision(
        title=kind.remove_label,
        explanation=[kind.removing, "The author gets the reason by email and can appeal."],
        done="Removed",
        decide=lambda row, values, request: kind.remove(row, by=actor_of(request, via="admin"), **values),
        why_not=kind.why_not_remove,
        effects=kind.effects,
        form=RemoveForm,
        is_dangerous=True,
    )
