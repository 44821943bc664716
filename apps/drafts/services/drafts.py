"""Commands on an existing draft: read, change, cancel and expire, with shared helpers."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.actors import Actor
from apps.core.errors import Conflict, NotFound
from apps.core.request.waiting import wait_until
from apps.drafts.models import LIFETIME, Draft
from apps.drafts.proposals.apply_filter import EMPTY
from apps.drafts.proposals.milestones import check_not_listed
from apps.drafts.services import guidance
from apps.drafts.services.pictures import discard_pictures
from apps.listings.services.categories import check_categories
from apps.listings.services.creation import WebsiteTaken
from apps.listings.services.editing import update_my_listing

EXPIRY_BATCH = 500
WRITTEN_FIELDS = ["proposal", "edited", "missing"]


class DraftNotReady(Conflict):
    code = "draft_not_ready"
    title = "Draft not ready"


class DraftEnded(Conflict):
    code = "draft_ended"
    title = "Draft ended"


def get_draft(*, draft_id: int, by: Actor) -> Draft:
    """Return one of the account's drafts, on any site and in any status. Raises NotFound (404) for any other id."""
    own = Draft.objects.visible_to(by.account).select_related("site", "listing__company")
    draft: Draft | None = own.filter(pk=draft_id).first()
    if draft is None:
        raise NotFound(
            "You have no draft with this id. Use the id from create_draft, or call it again with the website's url."
        )
    return draft


def wait_for_change(draft: Draft, *, seconds: int) -> Draft:
    """Return the draft when its status changes, or when the time is up. Doesn't wait for a finished draft."""
    if seconds and draft.status in Draft.IN_PROGRESS:
        as_it_was = Draft.objects.filter(pk=draft.pk, status=draft.status)
        wait_until(lambda: not as_it_was.exists(), seconds=seconds, account_id=draft.owner_id)
        draft.refresh_from_db()
    return draft


def update_draft(*, draft: Draft, fields: Mapping[str, Any], by: Actor) -> Draft:
    """Change what a draft proposes, or the listing it became. The evidence stays unchanged.

    Raises DraftNotReady (409) in other statuses, UnknownCategory (422), and what `update_my_listing` raises.
    """
    with transaction.atomic():
        draft = lock_draft(draft)
        if draft.listing is not None:
            check_not_listed(fields)
            update_my_listing(listing=draft.listing, fields=fields, by=by)
        elif draft.is_editable:
            check_categories(draft.site, fields.get("categories", ()))
        else:
            raise not_ready(draft)
        write_fields(draft, fields)
        draft.save(update_fields=WRITTEN_FIELDS)
    return draft


def confirm_value(*, draft: Draft, field: str) -> None:
    """Remember that the owner confirmed the proposed value of a field that has evidence. The caller locks the draft."""
    read = {str(item["field"]) for item in draft.evidence}
    if field in read | {name.partition(".")[0] for name in read}:
        draft.confirmed = sorted({*draft.confirmed, field})
        draft.save(update_fields=["confirmed"])


def cancel_draft(*, draft: Draft, by: Actor) -> Draft:
    """Stop a draft that is being read, or discard one that is ready or failed. What was read stays as a record.

    The worker notices at its next write and stops. Canceling twice is a no-op. Raises DraftEnded (409) when it has
    ended otherwise, NotFound (404) for the draft of another account.
    """
    with transaction.atomic():
        draft = lock_draft(draft)
        if draft.owner_id != by.account.pk:
            raise NotFound("You have no draft with this id.")
        if draft.status not in {*Draft.ACTIVE, Draft.Status.FAILED, Draft.Status.CANCELLED}:
            raise DraftEnded(f"The draft is {draft.status} and can't be canceled.")
        draft.move_to(Draft.Status.CANCELLED)
        discard_pictures([draft])
    return draft


def expire_drafts() -> int:
    """Expire a batch of drafts that waited too long, and return how many. The next run takes the rest."""
    waiting = Draft.objects.filter(status=Draft.Status.READY, created_at__lt=Now() - LIFETIME).order_by("pk")
    with transaction.atomic():
        drafts = list(waiting.select_for_update(skip_locked=True)[:EXPIRY_BATCH])
        for draft in drafts:
            draft.move_to(Draft.Status.EXPIRED)
        discard_pictures(drafts)
    return len(drafts)


def lock_draft(draft: Draft) -> Draft:
    # Without joins: after waiting for a lock, PostgreSQL rereads the locked row but not joined rows.
    return Draft.objects.select_for_update().get(pk=draft.pk)


def write_fields(draft: Draft, fields: Mapping[str, Any]) -> None:
    """Apply the owner's values to the proposal, and drop filled fields from the missing ones."""
    changed = {name: value for name, value in fields.items() if not is_same_value(draft.proposal.get(name), value)}
    draft.proposal = {**draft.proposal, **changed}
    draft.edited = sorted({*draft.edited, *changed})
    draft.missing = [item for item in draft.missing if is_same_value(draft.proposal.get(item["field"]), None)]


def is_same_value(one: Any, other: Any) -> bool:
    """Return whether two values are equal. A missing field equals an empty one."""
    return one == other or (one in EMPTY and other in EMPTY)


def not_ready(draft: Draft) -> DraftNotReady | WebsiteTaken:
    extra: dict[str, Any] = {"draft_status": draft.status}
    steps = guidance.next_steps(draft)
    match draft.status:
        case Draft.Status.FAILED:
            company = guidance.listed_company(draft)
            if company is not None and company.owner_id != draft.owner_id:
                return WebsiteTaken(site=draft.site, website=draft.website)
            extra["error"] = {"code": draft.error_code, "message": draft.error_message}
            return DraftNotReady(f"The draft failed: {draft.error_message}", next_steps=steps, extra=extra)
        case Draft.Status.EXPIRED | Draft.Status.CANCELLED:
            ended = "expired after 30 days" if draft.status == Draft.Status.EXPIRED else "was canceled"
            return DraftNotReady(f"The draft {ended}.", next_steps=steps, extra=extra)
    return DraftNotReady(
        f"The website is still being read. The draft is {draft.status}.",
        next_steps=["Call get_draft with wait_seconds until the status is ready, then try again."],
        retry_after=2,
        extra=extra,
    )
