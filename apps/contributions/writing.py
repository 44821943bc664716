"""Rules for everything that people write on listings, whatever its kind."""

from dataclasses import replace
from typing import Any, TypeVar

from apps.contributions.models import Contribution
from apps.core.editing.plain_text import count_links
from apps.core.editing.written import clean_writing
from apps.core.errors import Conflict, Unprocessable
from apps.events.recording import Subject
from apps.listings.models import Listing

_Kind = TypeVar("_Kind", bound=Contribution)


class ContributionChanged(Conflict):
    code = "changed"
    title = "It has changed"


def checked_text(text: str, *, most: int, least: int = 1, links: int, blank: str, pointer: str = "/text") -> str:
    """Return a clean text. Raises Unprocessable (422), with `blank` if there is none, and for too many `links`."""
    text = clean_writing(text)
    if not text:
        raise Unprocessable(blank, code="blank", pointer=pointer)
    if len(text) < least:
        raise Unprocessable(f"Use at least {least} characters.", code="min_length", pointer=pointer)
    if len(text) > most:
        raise Unprocessable(f"Use up to {most:,} characters.", code="max_length", pointer=pointer)
    if count_links(text) > links:
        raise Unprocessable(f"Use up to {links} links.", code="too_many_links", pointer=pointer)
    return text


def lock_listing(listing_id: int) -> Listing:
    """Lock a listing for a change of what people write on it."""
    # Joined rows would be stale after waiting for the lock.
    Listing.objects.select_for_update(no_key=True).only("pk").get(pk=listing_id)
    return Listing.objects.select_related("company__owner", "site").get(pk=listing_id)


def lock(row: _Kind) -> _Kind:
    """Lock a row and, before it, its listing, so that two changes never wait for each other.

    Raises ContributionChanged (409) if a merge has just moved it to another listing.
    """
    listing = lock_listing(row.listing_id)
    rows: Any = type(row)._default_manager.select_for_update()
    locked: _Kind | None = rows.filter(pk=row.pk, listing=listing).first()
    if locked is None:
        raise ContributionChanged("It was just moved or deleted. Reload the page.")
    locked.listing = listing
    return locked


def subject_for(row: Any, account_id: int) -> Subject:
    """Return what an event about a row says to another account than the owner's."""
    subject: Subject = replace(row.event_subject(), account_id=account_id)
    return subject
