"""Launch and vote figures of the admin dashboard."""

from django.db.models import F, Q, QuerySet

from apps.core.admin.metrics import Figure, Need, by_week, register_figures, register_needs
from apps.launches.calendar import capacity
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.models import LaunchWeek, Standing, Vote
from apps.listings.models import Listing

# A week with less than a fifth of its spots left.
_FULL_FROM = 0.8


def _nearly_full(weeks: QuerySet[LaunchWeek]) -> QuerySet[LaunchWeek]:
    ahead = capacity.with_taken(weeks.filter(iso_week__gte=str(current_week())))
    is_free_full = Q(free_places__gt=0, free_taken__gt=F("free_places") * _FULL_FROM)
    is_paid_full = Q(paid_places__gt=0, paid_taken__gt=F("paid_places") * _FULL_FROM)
    return ahead.filter(is_free_full | is_paid_full)


register_needs(
    Need(
        key="nearly_full",
        title="Weeks nearly full",
        hint="Free launches wait longer and paid launches sell out. Consider adding spots.",
        model=LaunchWeek,
        rows=_nearly_full,
        urgency="some day",
    ),
)
register_figures(
    Figure(
        title="Launches",
        hint="Listings that went live.",
        model=Listing,
        weekly=lambda first: by_week(Listing.objects.all(), "launched_at", first=first),
    ),
    Figure(
        title="Votes",
        hint="Votes cast.",
        # Single votes stay private. Leaderboards show the counts.
        model=Standing,
        weekly=lambda first: by_week(Vote.objects.all(), "created_at", first=first),
    ),
)
