"""Decisions of site admins on listings and on their updates and milestones, and the owner's archiving."""

import logging
from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.models import User
from apps.core.api.serializers import clean_text
from apps.core.email.text import render_words
from apps.core.errors import Conflict, NotFound, Unprocessable
from apps.listings import emails, history
from apps.listings.models import Listing, Milestone, Update
from apps.listings.services import milestones
from apps.listings.services.locks import lock_company, lock_listing
from apps.listings.services.updates import delete_locked_update
from apps.moderation.emails import appeal_url, notify_removed
from apps.moderation.models import Decision
from apps.moderation.services.decisions import clean_reason, keep_decision

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


_ACTIONS: Mapping[str, Decision.Action] = {
    "approve": Decision.Action.APPROVED,
    "reject": Decision.Action.REJECTED,
    "suspend": Decision.Action.REMOVED,
    "restore": Decision.Action.RESTORED,
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


def approve_listing(*, listing: Listing, note: str = "", by: Actor) -> Listing:
    """Approve a listing in review: it becomes a draft, which its owner can launch."""
    return _decide("approve", listing, to=Status.DRAFT, note=note, by=by)


def reject_listing(*, listing: Listing, reason: str, note: str = "", by: Actor) -> Listing:
    """Reject a listing in review permanently, and email the owner the reason."""
    return _decide("reject", listing, to=Status.REJECTED, reason=_clean(reason, "reject"), note=note, by=by)


def suspend_listing(*, listing: Listing, reason: str, note: str = "", by: Actor) -> Listing:
    """Hide a scheduled, live or archived listing. Its votes, texts and launch week are kept."""
    return _decide("suspend", listing, to=Status.SUSPENDED, reason=_clean(reason, "suspend"), note=note, by=by)


def restore_listing(*, listing: Listing, note: str = "", by: Actor) -> Listing:
    """End a suspension and restore the former status. A launch whose week has passed waits for the rollover."""
    return _decide("restore", listing, to=None, note=note, by=by)


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


@transaction.atomic
def remove_update(*, update: Update, reason: str, note: str = "", by: Actor) -> None:
    """Remove an owner's update, and email them the reason. Raises NotFound (404) if it is already gone."""
    reason = clean_reason(reason)
    listing = lock_listing(update.listing_id)
    locked = listing.updates.select_for_update().filter(pk=update.pk).first()
    if locked is None:
        raise NotFound("The update no longer exists.")
    locked.listing = listing
    kept = {"title": locked.title, "body": locked.body}
    decision = keep_decision("update", locked, Decision.Action.REMOVED, reason=reason, note=note, kept=kept, by=by)
    delete_locked_update(locked, by=by)
    notify_removed(decision)


@transaction.atomic
def restore_update(*, decision: Decision, note: str = "", by: Actor) -> None:
    """Show a removed update again. Its followers aren't emailed again. Raises NotFound (404) if it is gone."""
    update = Update.with_deleted.filter(pk=decision.case.object_id).first()
    if update is None:
        raise NotFound("The update no longer exists.")
    listing = lock_listing(update.listing_id)
    locked = Update.with_deleted.select_for_update().get(pk=update.pk)
    locked.listing, locked.deleted_at, locked.notified_at = listing, None, locked.notified_at or timezone.now()
    locked.title, locked.body = decision.kept["title"], decision.kept["body"]
    locked.save(update_fields=["title", "body", "deleted_at", "notified_at"])
    keep_decision("update", locked, Decision.Action.RESTORED, note=note, by=by)


@transaction.atomic
def remove_milestone(*, milestone: Milestone, reason: str, note: str = "", by: Actor) -> None:
    """Remove a milestone, and email its owner the reason. Raises NotFound (404) if it is already gone."""
    reason = clean_reason(reason)
    locked = lock_company(milestone.listing.company_id).listing(milestone.listing_id)
    row = Milestone.objects.select_for_update().filter(pk=milestone.pk, listing=locked).first()
    if row is None:
        raise NotFound("The milestone no longer exists.")
    row.listing = locked
    kept = {**milestones.kept_of(row), "listing_id": locked.pk}
    decision = keep_decision("milestone", row, Decision.Action.REMOVED, reason=reason, note=note, kept=kept, by=by)
    milestones.delete_locked(row, by=by)
    notify_removed(decision)


@transaction.atomic
def restore_milestone(*, decision: Decision, note: str = "", by: Actor) -> None:
    """Add a removed milestone again. Raises NotFound (404) if its listing is gone."""
    values = {**decision.kept, "date": date.fromisoformat(decision.kept["date"])}
    listing = Listing.objects.filter(pk=values.pop("listing_id")).first()
    if listing is None:
        raise NotFound("The listing no longer exists.")
    locked = lock_company(listing.company_id).listing(listing.pk)
    restored = milestones.add_locked(Milestone(listing=locked, **values), by=by)
    keep_decision("milestone", restored, Decision.Action.RESTORED, note=note, by=by)


def why_not(decision: str, listing: Listing) -> str:
    """Return why a decision is not possible for a listing now, as a sentence, or an empty string."""
    allowed = DECIDED_FROM[decision]
    if listing.status in allowed:
        return ""
    names = " or ".join(sorted(status.replace("_", " ") for status in allowed))
    return f"The listing is {listing.state_words}. You can only {decision} listings that are {names}."


@transaction.atomic
def _decide(decision: str, listing: Listing, *, to: str | None, by: Actor, reason: str = "", note: str = "") -> Listing:
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
    if action := _ACTIONS.get(decision):
        kept = keep_decision("listing", listing, action, reason=reason, note=note, by=by)
        context["appeal_url"] = appeal_url(kept)
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
