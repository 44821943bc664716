"""What is known of badges when a company's website moves: nothing, until somebody looks there."""

from django.utils import timezone

from apps.listings.models import Listing


def look_for_badges_anew(*, company_id: int) -> None:
    """Have the badges of a company looked for at its new website, soon.

    A listing that waits for its badge waits anew; one that has its launch week keeps it, unless the badge turns out
    to be lost.
    """
    now = timezone.now()
    listings = Listing.objects.filter(company=company_id)
    listings.filter(status=Listing.Status.AWAITING_BADGE).update(
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
