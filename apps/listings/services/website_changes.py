"""Handle a company's new website: its key, the badges on it, and the owner's lost proof."""

from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.core.errors import Conflict
from apps.events.recording import record
from apps.listings.models import Company, Listing, ListingVersion
from apps.listings.services.creation import WebsiteTaken
from apps.listings.websites.identity import website_key
from apps.listings.websites.renewal import hand_on_key
from apps.sites.models import Site


class WebsiteListed(Conflict):
    code = "duplicate"
    title = "Website already listed"


def move_website(company: Company, website: str, site: Site) -> None:
    """Change a company's URL, unless another company has it. The unique key decides races."""
    _check_website(company, website, site)
    freed = company.website_key
    company.website, company.website_key, company.same_website_as = website, website_key(website), None
    try:
        with transaction.atomic():
            company.save(update_fields=["website", "website_key", "same_website_as", "updated_at"])
    except IntegrityError:
        _check_website(company, website, site)
        raise
    if company.website_key != freed:
        hand_on_key(freed, left_by=company)


def recheck_badges(*, company_id: int) -> None:
    """Schedule badge checks at a company's new website.

    A listing that waits for its badge waits again. One with a launch week keeps it, unless the badge turns out to be
    lost.
    """
    now = timezone.now()
    listings = Listing.objects.filter(company=company_id)
    waiting = listings.filter(status=Listing.Status.AWAITING_BADGE)
    for listing in waiting.exclude(badge_state=Listing.BadgeState.UNCHECKED).select_related("company"):
        record("badge.unchecked", listing.event_subject(), previous_state=str(listing.badge_state))
    waiting.update(
        badge_state=Listing.BadgeState.UNCHECKED,
        badge_seen_at=None,
        badge_result="",
        badge_evidence={},
        badge_failed_checks=0,
        badge_missing_since=None,
        badge_check_at=now,
        badge_check_requested_at=now,
    )
    listings.filter(status=Listing.Status.SCHEDULED, plan=Listing.Plan.FREE).update(
        badge_check_at=now, badge_check_requested_at=now
    )


def forget_proofs(versions: Iterable[ListingVersion]) -> None:
    """Remove a company's verification after its website was edited. The caller locked it.

    A URL of the same website, such as with https or without www, changes nothing.
    """
    for version in versions:
        moved = (change for change in version.changes if change["field"] == "website")
        if any(website_key(change["before"] or "") != website_key(change["after"] or "") for change in moved):
            Company.objects.filter(pk=version.company_id).update(verified_at=None)


def _check_website(company: Company, website: str, site: Site) -> None:
    key = website_key(website)
    if not Company.objects.filter(website_key=key).exclude(pk=company.pk).exists():
        return
    other = Company.objects.for_website(key)
    if other is None or other.owner_id != company.owner_id:
        raise WebsiteTaken(site=site, website=website, pointer="/fields/website")
    same = other.pk == company.pk
    admin = site.admin_contact
    raise WebsiteListed(
        "This website belongs to a company that was merged into this one."
        if same
        else f"You already list this website as {other.name}.",
        pointer="/fields/website",
        next_steps=[f"Contact {admin}." if same else f"Ask {admin} to merge the two companies."],
    )
