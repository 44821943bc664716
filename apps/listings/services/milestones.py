"""Milestones of a listing."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.blocklists.matching import check_texts
from apps.core.errors import Conflict, Unprocessable, unknown_id
from apps.events.recording import Subject, record
from apps.listings import history
from apps.listings.emails import notify_team_of_edit
from apps.listings.models import Listing, ListingVersion, Milestone
from apps.listings.services.locks import check_editable, lock_company

SECTION = "milestones"
MAX_MILESTONES = 100
FIRST_DAY = datetime.date(1800, 1, 1)
MAX_AHEAD = datetime.timedelta(days=731)


class TooManyMilestones(Conflict):
    code = "too_many_milestones"
    title = "Too many milestones"


class DateOutOfReason(Unprocessable):
    code = "date_out_of_reason"
    title = "Date out of range"


@dataclass(frozen=True)
class NewMilestone:
    """A milestone to add."""

    date: datetime.date
    title: str
    description: str = ""
    url: str = ""


@transaction.atomic
def add_milestone(
    *, listing: Listing, date: datetime.date, title: str, description: str = "", url: str = "", by: Actor
) -> Milestone:
    """Add a milestone, record it in the version history, and email site admins.

    Raises DateOutOfReason (422, pointer /date) before 1800 and more than two years ahead, TooManyMilestones and
    NotEditable (409).
    """
    [milestone] = add_milestones(
        listing=listing, milestones=[NewMilestone(date, title, description=description, url=url)], by=by
    )
    return milestone


@transaction.atomic
def add_milestones(*, listing: Listing, milestones: Sequence[NewMilestone], by: Actor) -> list[Milestone]:
    """Add several milestones in one edit with one email to site admins. Raises what `add_milestone` raises."""
    if any(not FIRST_DAY <= new.date <= last_day() for new in milestones):
        raise DateOutOfReason(f"Use a date between {FIRST_DAY} and {last_day()}.", pointer="/date")
    for new in milestones:
        texts = {"title": new.title, "description": new.description, "url": new.url}
        check_texts(texts, site=listing.site, address=by.address)
    locked = lock_company(listing.company_id).listing(listing.pk)
    check_editable(locked, by)
    if locked.milestones.count() + len(milestones) > MAX_MILESTONES:
        raise TooManyMilestones(
            f"The listing has {MAX_MILESTONES} milestones, the maximum.",
            next_steps=["Delete one with delete_milestone."],
        )
    added = [
        Milestone.objects.create(
            listing=locked, date=new.date, title=new.title, description=new.description, url=new.url
        )
        for new in milestones
    ]
    for milestone in added:
        record("milestone.added", _subject_of(milestone, locked), by=by)
    edit_id = uuid4()
    versions = [_record(locked, before=None, after=milestone, by=by, edit_id=edit_id) for milestone in added]
    notify_team_of_edit(versions, by=by)
    return added


@transaction.atomic
def delete_milestone(*, milestone: Milestone, by: Actor) -> None:
    """Remove a milestone. It stays in the version history. Raises NotFound (404) when it is already gone."""
    locked = lock_company(milestone.listing.company_id).listing(milestone.listing_id)
    check_editable(locked, by)
    result = Milestone.objects.select_for_update().filter(pk=milestone.pk, listing=locked).first()
    if result is None:
        raise unknown_id("get_my_listing", "This listing has no milestone with this id.")
    result.listing = locked
    notify_team_of_edit([delete_locked(result, by=by)], by=by)


def delete_locked(milestone: Milestone, *, by: Actor) -> ListingVersion:
    """Delete a milestone of a locked listing, and return the version that keeps it."""
    version = _record(milestone.listing, before=milestone, after=None, by=by, edit_id=uuid4())
    record("milestone.deleted", _subject_of(milestone, milestone.listing), by=by)
    milestone.delete()
    return version


def add_locked(milestone: Milestone, *, by: Actor) -> Milestone:
    """Save a milestone that was deleted from a locked listing, under its id."""
    milestone.save(force_insert=True)
    record("milestone.added", _subject_of(milestone, milestone.listing), by=by)
    _record(milestone.listing, before=None, after=milestone, by=by, edit_id=uuid4())
    return milestone


def last_day() -> datetime.date:
    """Return the latest day of a milestone: two years ahead."""
    return timezone.now().date() + MAX_AHEAD


def _subject_of(milestone: Milestone, listing: Listing) -> Subject:
    return Subject("milestone", milestone.pk, listing.company.owner_id, listing.site_id, {"listing_id": listing.pk})


def _record(
    listing: Listing, *, before: Milestone | None, after: Milestone | None, by: Actor, edit_id: UUID
) -> ListingVersion:
    return history.record_states(
        company=listing.company,
        listing=listing,
        before={SECTION: kept_of(before) if before else None},
        after={SECTION: kept_of(after) if after else None},
        by=by,
        edit_id=edit_id,
    )


def kept_of(milestone: Milestone) -> dict[str, str | int]:
    """Return a milestone as histories keep it."""
    return {
        "id": milestone.pk,
        "date": milestone.date.isoformat(),
        "title": milestone.title,
        "description": milestone.description,
        "url": milestone.url,
    }
