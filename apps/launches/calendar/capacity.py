"""The capacity and load of upcoming weeks, for admins."""

from typing import Any

from django.db.models import F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery

from apps.launches.calendar import reservations
from apps.launches.calendar.launch_weeks import LAUNCHED_FREE, LAUNCHED_PAID, current_week
from apps.launches.models import LaunchWeek
from apps.listings.models import Listing
from apps.sites.models import Site


def with_taken(weeks: QuerySet[LaunchWeek]) -> QuerySet[Any]:
    """Return the weeks with `free_taken` and `paid_taken`, counted as the calendar counts taken spots."""
    return weeks.annotate(free_taken=_taken(LAUNCHED_FREE), paid_taken=_taken(LAUNCHED_PAID) + _reserved())


def create_weeks(*, site: Site, count: int) -> int:
    """Create rows for the site's next `count` weeks with its current capacity. Existing weeks keep theirs.

    A week without a row uses the site's capacity of the day, so rows are only needed to change single weeks ahead.
    Returns how many are new.
    """
    first = current_week()
    names = [str(first + ahead) for ahead in range(count)]
    there = set(LaunchWeek.objects.filter(site=site, iso_week__in=names).values_list("iso_week", flat=True))
    rows = [
        LaunchWeek(
            site=site,
            iso_week=name,
            free_places=site.free_places_per_week,
            paid_places=site.paid_places_per_week,
        )
        for name in names
        if name not in there
    ]
    LaunchWeek.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def overfull(week: LaunchWeek) -> list[str]:
    """Return a warning for a week with more launches than its new capacity. None of them is removed."""
    result = with_taken(LaunchWeek.objects.filter(pk=week.pk)).get()
    return [
        (
            f"{week} has {taken} {plan} launches, more than its {places} spots. They keep their week, but "
            "no new launch is accepted."
        )
        for plan, taken, places in (
            ("free", result.free_taken, week.free_places),
            ("paid", result.paid_taken, week.paid_places),
        )
        if taken > places
    ]


def _reserved() -> Subquery:
    rows = reservations.live().filter(site=OuterRef("site"), week=OuterRef("iso_week"), product=reservations.LAUNCH)
    counted = rows.order_by().annotate(number=Func(F("pk"), function="count")).values("number")
    return Subquery(counted, output_field=IntegerField())


def _taken(launched: Q) -> Subquery:
    rows = (
        Listing.objects.filter(launched, site=OuterRef("site"), launch_week=OuterRef("iso_week"))
        .exclude(status__in=[Listing.Status.DRAFT, Listing.Status.AWAITING_BADGE])
        .order_by()
        .annotate(number=Func(F("pk"), function="count"))
        .values("number")
    )
    return Subquery(rows, output_field=IntegerField())
