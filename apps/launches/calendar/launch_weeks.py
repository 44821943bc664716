"""The calendar of launch weeks: the launches and free spots of each."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import BigIntegerField, Count, F, Q, Value
from django.utils import timezone

from apps.core.errors import Conflict, Unprocessable
from apps.core.text.weeks import Week
from apps.launches.calendar import reservations
from apps.launches.models import LaunchWeek
from apps.listings.models import Listing
from apps.sites.models import Site

WEEKS_AHEAD = 52

Plan = Listing.Plan
# An upgrade after the launch takes no spot, because the listing keeps its own.
LAUNCHED_FREE = Q(plan=Plan.FREE) | Q(upgraded_at__isnull=False)
LAUNCHED_PAID = Q(plan=Plan.PAID, upgraded_at__isnull=True)


class WeekFull(Conflict):
    code = "week_full"
    title = "Week full"


class InvalidWeek(Unprocessable):
    code = "invalid_week"
    title = "Week not available"


@dataclass(frozen=True, slots=True)
class Places:
    """A week with its capacity, free spots and launches, which can exceed a lowered capacity.

    Reserved spots are neither free nor launches.
    """

    week: Week
    free_total: int
    free_left: int
    paid_total: int
    paid_left: int
    taken: int

    def left(self, plan: str) -> int:
        return self.free_left if plan == Plan.FREE else self.paid_left


@dataclass(frozen=True, slots=True)
class Offer:
    """The first week that a plan would get now, and its free spots."""

    week: Week
    places_left: int


def current_week() -> Week:
    return Week.of(timezone.now())


def places(site: Site, *, first: Week, count: int) -> list[Places]:
    """Return `count` weeks from `first` with the spots left, in two queries."""
    weeks = [first + offset for offset in range(count)]
    names = [str(week) for week in weeks]
    capacity = {row.iso_week: row for row in LaunchWeek.objects.filter(site=site, iso_week__in=names)}
    taken = _taken(site, names)
    return [_places(site, week, capacity.get(str(week)), taken.get(str(week), {})) for week in weeks]


def first_free_week(site: Site) -> Week:
    """Return the first week that the free queue assigns."""
    return current_week() + site.free_queue_weeks


def first_offer(site: Site, first: Week, plan: str) -> Offer | None:
    """Return the earliest week from `first` with a spot for the plan, or None if all coming weeks are full."""
    try:
        result = _first_with_place(site, first, plan)
    except WeekFull:
        return None
    return Offer(result.week, result.left(plan))


def first_week_with_place(site: Site, first: Week, plan: str) -> Week:
    """Return the earliest week from `first` with a spot for the plan, or `first` if all are full."""
    offer = first_offer(site, first, plan)
    return offer.week if offer else first


def check_week(week: Week, *, first: Week | None = None) -> None:
    """Raise InvalidWeek (422) for a week in the past, before `first`, or more than a year ahead."""
    now = current_week()
    if first and now <= week < first:
        raise InvalidWeek(f"{week} is too soon for a free launch. Choose {first} or later.")
    if week < now:
        raise InvalidWeek(f"{week} is over. Choose {now} or later.")
    if week > last_to_choose():
        raise InvalidWeek(f"{week} is too far ahead. Choose a week up to {last_to_choose()}.")


def lock_weeks(site: Site, weeks: Collection[Week]) -> dict[Week, LaunchWeek]:
    """Lock the rows of weeks in their order until the transaction ends."""
    return {week: _locked(site, week) for week in sorted(weeks)}


def lock_place(site: Site, week: Week, plan: str, *, leaving: Week | None = None, holder: str = "") -> None:
    """Lock the week's row until the transaction ends. Raises WeekFull (409) if the plan has no free spot.

    A spot reserved by `holder` counts as free. The week being left is locked, too. Weeks are locked in order, after the
    listing, so that two opposite moves wait instead of deadlocking.
    """
    row = lock_weeks(site, {week, leaving or week})[week]
    if reservations.is_reserved_for(holder, product=reservations.LAUNCH, weeks=[str(week)]):
        return
    result = _places(site, week, row, _taken(site, [str(week)]).get(str(week), {}))
    if result.left(plan) < 1:
        raise full(site, week, plan)


def lock_first_place(site: Site, first: Week, plan: str) -> Week:
    """Lock and return the earliest week with a free spot, starting at `first`."""
    while True:
        week = _first_with_place(site, first, plan).week
        try:
            with transaction.atomic():
                lock_place(site, week, plan)
        except WeekFull:
            # Another launch took the last spot before the lock.
            first = week + 1
        else:
            return week


def last_to_choose() -> Week:
    """Return the last week that a launch can be scheduled in now."""
    return current_week() + WEEKS_AHEAD


def full(site: Site, week: Week, plan: str) -> WeekFull:
    """Return the error for a full week, which names the next week with a spot."""
    following = _first_with_place(site, week + 1, plan).week
    if following > last_to_choose():
        return WeekFull(f"All {plan} spots from {week} on are taken.")
    return WeekFull(f"All {plan} spots in {week} are taken. The next week with a spot is {following}.")


def _first_with_place(site: Site, first: Week, plan: str) -> Places:
    start = first
    for _ in range(8):
        for result in places(site, first=start, count=26):
            if result.left(plan) > 0:
                return result
        start = start + 26
    raise WeekFull(f"All weeks are full. Contact {site.admin_contact}.")


def _locked(site: Site, week: Week) -> LaunchWeek:
    LaunchWeek.objects.bulk_create(
        [
            LaunchWeek(
                site=site,
                iso_week=str(week),
                free_places=site.free_places_per_week,
                paid_places=site.paid_places_per_week,
            )
        ],
        ignore_conflicts=True,
    )
    return LaunchWeek.objects.select_for_update().get(site=site, iso_week=str(week))


def _taken(site: Site, weeks: list[str]) -> dict[str, dict[str, int]]:
    """Count each plan's launches and the reserved spots, by week. One query."""
    none = Value(0, output_field=BigIntegerField())
    counts = ("week_name", "free", "paid", "reserved")
    launches = (
        Listing.objects.filter(site=site, launch_week__in=weeks)
        .exclude(status__in=[Listing.Status.DRAFT, Listing.Status.AWAITING_BADGE])
        .values(week_name=F("launch_week"))
        .annotate(
            # Only columns of the calendar's index, so that no listing is read.
            free=Count("launch_week", filter=LAUNCHED_FREE),
            paid=Count("launch_week", filter=LAUNCHED_PAID),
            reserved=none,
        )
        .values_list(*counts)
    )
    reserved = (
        reservations.live()
        .filter(site=site, product=reservations.LAUNCH, week__in=weeks)
        .values(week_name=F("week"))
        .annotate(free=none, paid=none, reserved=Count("id"))
        .values_list(*counts)
    )
    taken: dict[str, dict[str, int]] = {}
    for week, *numbers in launches.union(reserved, all=True):
        of_week = taken.setdefault(week, {"free": 0, "paid": 0, "reserved": 0})
        for name, number in zip(counts[1:], numbers, strict=True):
            of_week[name] += number
    return taken


def _places(site: Site, week: Week, row: LaunchWeek | None, taken: dict[str, int]) -> Places:
    free = row.free_places if row else site.free_places_per_week
    paid = row.paid_places if row else site.paid_places_per_week
    return Places(
        week=week,
        free_total=free,
        free_left=max(free - taken.get("free", 0), 0),
        paid_total=paid,
        paid_left=max(paid - taken.get("paid", 0) - taken.get("reserved", 0), 0),
        taken=taken.get("free", 0) + taken.get("paid", 0),
    )
