"""Website claims: who proved what, and the decisions on them."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from apps.accounts.actors import actor_of
from apps.core.admin.base import ModelAdmin, ReadOnly, labelled
from apps.core.admin.decisions import Decides, Decision, ReasonForm, page_action
from apps.listings.claims import services
from apps.listings.models import Claim

_LABELS = {"Open": "info", "Proven": "success", "Refused": "danger"}


def _refuse(claim: Claim, values: Mapping[str, Any], request: HttpRequest) -> Claim:
    return services.refuse_claim(claim=claim, **values, by=actor_of(request, via="admin"))


def _reopen(claim: Claim, values: Mapping[str, Any], request: HttpRequest) -> Claim:
    return services.reopen_claim(claim=claim, by=actor_of(request, via="admin"))


REFUSE = Decision(
    title="Refuse",
    explanation=["Ends the claim. The claimant gets the reason by email and can't claim again for two weeks."],
    done="Claims refused",
    decide=_refuse,
    why_not=services.why_not_refuse,
    form=ReasonForm,
    is_dangerous=True,
)
REOPEN = Decision(
    title="Reopen",
    explanation=[
        "Cancels the current owner's verification and checks for the claimant's token again.",
        "If it's found, the company and its listings move to the claimant. Both get an email. "
        "Use this when the website was sold or the current owner shouldn't have it.",
    ],
    done="Claims reopened",
    decide=_reopen,
    why_not=services.why_not_reopen,
    is_dangerous=True,
)


@admin.register(Claim)
class ClaimAdmin(Decides, ReadOnly, ModelAdmin):
    list_display = ("website", "state", "claimant", "company", "method", "created_at", "checked_at")
    list_filter = ("status", "method", "site", "created_at")
    list_select_related = ("claimant", "company")
    search_fields = ("website", "claimant__email", "company__name", "company__website_key")
    ordering = ("-pk",)
    # Hide the word: anyone who knows it could publish it in the claimant's name.
    fields = (
        "website",
        "state",
        "company",
        "present_owner",
        "owner_proven_at",
        "claimant",
        "previous_owner",
        "method",
        "result",
        "site",
        "created_at",
        "checked_at",
        "ended_at",
    )
    readonly_fields = fields
    actions_detail: tuple[str, ...] = ("refuse", "reopen")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Claim]:
        result: QuerySet[Claim] = super().get_queryset(request)
        return result.select_related("company__owner", "claimant", "previous_owner", "site")

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {"refuse": services.why_not_refuse, "reopen": services.why_not_reopen}

    @labelled(description="status", ordering="status", colors=_LABELS)
    def state(self, claim: Claim) -> str:
        return str(claim.get_status_display())

    @admin.display(description="current owner")
    def present_owner(self, claim: Claim) -> str:
        return str(claim.company.owner)

    @admin.display(description="verified by current owner")
    def owner_proven_at(self, claim: Claim) -> str:
        proven_at = claim.company.verified_at
        return date_format(localtime(proven_at), "DATETIME_FORMAT") if proven_at else ""

    def has_decide_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        """Read-only page with the decisions for admins who may change a company's owner."""
        return bool(request.user.has_perm("listings.change_company"))

    @page_action(description="Refuse", permissions=["decide"], icon="close", is_dangerous=True)
    def refuse(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, REFUSE)

    @page_action(description="Reopen", permissions=["decide"], icon="undo")
    def reopen(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, REOPEN)
