"""Listing and claim figures of the admin dashboard."""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from apps.core.admin.metrics import Need, register_needs
from apps.listings.models import Claim, Company, Listing

Status = Listing.Status

# Checks are minutes late at most while a worker runs.
LATE_AFTER = timedelta(hours=1)


def _in_review(listings: QuerySet[Listing]) -> QuerySet[Listing]:
    return listings.filter(status=Status.IN_REVIEW)


def _without_badge(listings: QuerySet[Listing]) -> QuerySet[Listing]:
    return listings.filter(status=Status.SCHEDULED, badge_missing_since__isnull=False)


def _not_looked_at(listings: QuerySet[Listing]) -> QuerySet[Listing]:
    due = timezone.now() - LATE_AFTER
    return listings.filter(status__in=[Status.AWAITING_BADGE, Status.SCHEDULED], badge_check_at__lt=due)


register_needs(
    Need(
        key="in_review",
        title="Listings to review",
        hint="Approve or reject with a reason.",
        model=Listing,
        rows=_in_review,
    ),
    Need(
        key="contested",
        title="Contested claims",
        hint="Two accounts verified the same website. Contact both, then reopen the claim or leave it.",
        model=Claim,
        rows=lambda claims: claims.contested(),
    ),
    Need(
        key="same_website",
        title="Companies that share a website",
        hint="If they have different owners, check whether they share a host. If not, merge each with the older one, "
        "or ask its owner for another website.",
        model=Company,
        rows=lambda companies: companies.sharing_a_website(),
        urgency="some day",
    ),
    Need(
        key="without_badge",
        title="Queued without badge",
        hint="They lose their week when the grace period ends. Owners have been notified.",
        model=Listing,
        rows=_without_badge,
        urgency="some day",
    ),
    Need(
        key="not_looked_at",
        title="Overdue badge checks",
        hint="The worker may be down.",
        model=Listing,
        rows=_not_looked_at,
        urgency="now",
    ),
)
