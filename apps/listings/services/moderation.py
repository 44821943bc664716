"""Decisions of site admins on listings, and the owner's archiving."""

import logging
from collections.abc import Mapping
from typing import ClassVar

from django.db import transaction

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.models import User
from apps.core.api.serializers import clean_text
from apps.core.email.text import render_words
from apps.core.errors import Conflict, Unprocessable
from apps.listings import emails, history
from apps.listings.models import Listing
from apps.listings.services.locks import lock_company

logger = logging.getLogger(__name__)

Status = Listing.Status
MAX_REASON = 300
_CLOSED = frozenset({Status.ARCHIVED, Status.REJECTED})
# The statuses in which each decision is possible. TRANSITIONS says where it leads.
DECIDED_FROM: Mapping[str, frozenset[str]] = {
    "approve": frozenset({Status.IN_REVIEW}),
    "reject": frozenset({Status.IN_REVIEW}),
    "suspend": frozenset({Status.SCHEDULED, Status.LIVE, Status.ARCHIVED}),
    "restore": frozenset({Status.SUSPENDED}),
    "archive": frozenset({Status.LIVE}),
}


class NotDecidable(Conflict):
    code = "not_in_this_status"
    title = "Not possible in this status"


class ReasonMissing(Unprocessable):
    code = "reason_required"
    title = "Reason required"

    messages: ClassVar = {
        "reject": "Enter a reason. The owner sees it.",
        "suspend": "Enter a reason. The owner sees it.",
    }


def approve_listing(*, listing: Listing, by: Actor) -> Listing:
    """Approve a listing in review: it becomes a draft, which its owner can launch."""
    return _decide("approve", listing, to=Status.DRAFT, by=by)


def reject_listing(*, listing: Listing, reason: str, by: Actor) -> Listing:
    """Reject a listing in review permanently, and email the owner the reason."""
    return _decide("reject", listing, to=Status.REJECTED, reason=_clean(reason, "reject"), by=by)


def suspend_listing(*, listing: Listing, reason: str, by: Actor) -> Listing:
    """Hide a scheduled, live or archived listing. Its votes, texts and launch week are kept."""
    return _decide("suspend", listing, to=Status.SUSPENDED, reason=_clean(reason, "suspend"), by=by)


def restore_listing(*, listing: Listing, by: Actor) -> Listing:
    """End a suspension and restore the former status. A launch whose week has passed waits for the rollover."""
    return _decide("restore", listing, to=None, by=by)


def archive_listing(*, listing: Listing, by: Actor) -> Listing:
    """Archive a live listing permanently, as its owner wants. The caller has checked the ownership."""
    return _decide("archive", listing, to=Status.ARCHIVED, by=by)


@transaction.atomic
def archive_account_listings(*, account: User) -> None:
    """Archive all listings of an account that is deleted, whatever their status. Rejected ones stay rejected."""
    for company_id in account.companies.order_by("pk").values_list("pk", flat=True):
        locked = lock_company(company_id)
        for listing in locked.listings.values():
            if listing.status in _CLOSED:
                continue
            before = {"status": listing.status}
            listing.move_to(Status.ARCHIVED, suspended_from="")
            after = {"status": listing.status}
            history.record_states(company=locked.company, listing=listing, before=before, after=after, by=SYSTEM)


def why_not(decision: str, listing: Listing) -> str:
    """Return why a decision is not possible for a listing now, as a sentence, or an empty string."""
    allowed = DECIDED_FROM[decision]
    if listing.status in allowed:
        return ""
    names = " or ".join(sorted(status.replace("_", " ") for status in allowed))
    return f"The listing is {listing.state_words}. You can only {decision} listings that are {names}."


@transaction.atomic
def _decide(decision: str, listing: Listing, *, to: str | None, by: Actor, reason: str = "") -> Listing:
    """Check the status. Raises NotDecidable (409) if it differs, also for concurrent decisions."""
    listing = lock_company(listing.company_id).listing(listing.pk)
    if problem := why_not(decision, listing):
        raise NotDecidable(problem)
    before = {"status": listing.status, "status_reason": listing.status_reason}
    came_from = before["status"] if to == Status.SUSPENDED else ""
    listing.move_to(to or listing.suspended_from, suspended_from=came_from, status_reason=reason)
    after = {"status": listing.status, "status_reason": listing.status_reason}
    version = history.record_states(company=listing.company, listing=listing, before=before, after=after, by=by)
    context = {
        "listing": listing,
        "site": listing.site,
        "reason": reason,
        "dashboard_url": listing.site.url("/account"),
    }
    emails.notify_owner(
        listing=listing,
        key=f"{decision}-{version.pk}",
        words=render_words(f"listings/emails/{decision}", context),
    )
    account = by.user.pk if by.user else None
    logger.info("listing decided", extra={"decision": decision, "listing": listing.pk, "account": account})
    return listing


def _clean(reason: str, decision: str) -> str:
    cleaned = clean_text(reason)
    if not cleaned:
        raise ReasonMissing(ReasonMissing.messages[decision], pointer="/reason")
    if len(cleaned) > MAX_REASON:
        raise Unprocessable(f"Use up to {MAX_REASON} characters for the reason.", pointer="/reason", code="max_length")
    return cleaned
