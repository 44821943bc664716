"""What a check of an owner's website for the badge may find."""

from datetime import datetime

from django.utils import timezone

from apps.launches.badges import checks
from apps.launches.badges.checks import BadgeCheckResult
from apps.listings.models import Listing

State = Listing.BadgeState


def check_result(listing: Listing, state: str, *, at: datetime | None = None) -> BadgeCheckResult:
    """The result of a check of the listing's website, now."""
    moment = at or timezone.now()
    website = listing.company.website
    evidence = {"page_url": f"{website}/", "status": 200, "at": moment.isoformat(), "links_seen": 3}
    match State(state):
        case State.FOUND:
            evidence |= {"href": listing.page_url, "snippet": f'<a href="{listing.page_url}">'}
            return BadgeCheckResult(website, moment, State.FOUND, f"Found on {website}/.", evidence)
        case State.ABSENT:
            return BadgeCheckResult(website, moment, State.ABSENT, f"There is no link on {website}/.", evidence)
    return BadgeCheckResult(website, moment, State.UNKNOWN, "Check failed: the website took too long to respond.")


def found(listing: Listing) -> Listing:
    return checks.record_check(listing=listing, result=check_result(listing, "found"))


def absent(listing: Listing) -> Listing:
    return checks.record_check(listing=listing, result=check_result(listing, "absent"))


def unknown(listing: Listing) -> Listing:
    return checks.record_check(listing=listing, result=check_result(listing, "unknown"))
