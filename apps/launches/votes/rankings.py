"""Add launches to the leaderboard of their week, and close it.

`apps/launches/votes/ledger.py` describes the order of locks.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, F, OuterRef, Subquery, Sum
from django.utils import timezone

from apps.core.errors import Conflict
from apps.core.stores.valkey.generations import only, site_name, touch
from apps.core.text.weeks import Week
from apps.events.recording import event_of, record_all
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.models import LedgerEntry, Standing, Vote, VoteGroup, VoteLedger
from apps.launches.votes import ledger as ledgers
from apps.listings.models import Listing
from apps.sites.models import Site

logger = logging.getLogger(__name__)

Kind = LedgerEntry.Kind
UNDECIDED = "Not decided before the week closed."


@transaction.atomic
def enter_board(*, listing: Listing) -> Standing:
    """Add a newly published listing to its week's leaderboard. Adding it twice is a no-op.

    The caller must hold the listing's lock. The week's first launch closes the site's ledgers of past weeks and opens
    the week's. A past week takes no launches: such a standing is final and has no rank.
    """
    entered = Standing.objects.filter(listing=listing).first()
    if entered:
        return entered
    week, launched_at = listing.week, listing.launched_at
    if week is None or launched_at is None:
        raise ValueError(f"listing {listing.pk} was not launched")
    ledger = _open_ledger(listing.site, week)
    if ledger:
        ledgers.append(ledger, Kind.LAUNCH, launch_facts(listing))
    return Standing.objects.create(
        site=listing.site,
        iso_week=str(week),
        listing=listing,
        launched_at=launched_at,
        is_final=ledger is None,
        left_at=None if listing.status == Listing.Status.LIVE else listing.updated_at,
    )


def launch_facts(listing: Listing) -> dict[str, Any]:
    """Return the facts of a launched listing for its `launch` entry."""
    if listing.launched_at is None:
        raise ValueError(f"listing {listing.pk} was not launched")
    return {"listing": listing.pk, "slug": listing.slug, "launched_at": ledgers.microseconds(listing.launched_at)}


def close_boards() -> int:
    """Close every ledger of a past week, each in its own transaction. Returns how many were closed.

    Safe to run twice or concurrently, because the second run finds the ledger closed.
    """
    over = VoteLedger.objects.filter(closed_at__isnull=True, iso_week__lt=str(current_week()))
    return sum(close_board(pk) for pk in list(over.order_by("iso_week", "site").values_list("pk", flat=True)))


@transaction.atomic
def decide_held(*, listing: Listing, state: Vote.State, reason: str) -> int:
    """Count or dismiss the weight of a listing's votes under review. The reason is in the public vote ledger.

    Returns how many votes. Raises Conflict (409) if none is under review.
    """
    ledger = VoteLedger.objects.select_for_update().get(site=listing.site_id, iso_week=listing.launch_week)
    standing = Standing.objects.select_related("listing").get(listing=listing)
    if not standing.held:
        raise Conflict("No votes are under review.")
    return settle(ledger, standing, state=state, reason=reason, at=timezone.now())


def settle(ledger: VoteLedger, standing: Standing, *, state: Vote.State, reason: str, at: datetime) -> int:
    """Decide a listing's held votes and append the decision. The caller must hold the ledger's lock."""
    held = Vote.objects.filter(listing=standing.listing_id, state=Vote.State.HELD)
    count, weight = standing.held, held.aggregate(sum=Sum("points"))["sum"] or 0
    held.update(state=state)
    standing.held = 0
    standing.points += weight if state == Vote.State.COUNTED else 0
    standing.save(update_fields=["held", "points"])
    facts = {"listing": standing.listing_id, "state": state.value, "votes": count, "reason": reason}
    ledger.decisions.append({**facts, "slug": standing.listing.slug})
    ledgers.append(ledger, Kind.DECIDE, facts, at=at)
    return count


@transaction.atomic
def close_board(ledger_id: int, *, at: datetime | None = None) -> bool:
    """Freeze a week's ranks and categories, end its ledger and delete its salt. Returns False if it was closed."""
    _lock_listings(ledger_id)
    ledger = VoteLedger.objects.select_for_update().get(pk=ledger_id)
    if ledger.closed_at:
        return False
    at = at or timezone.now()
    for held in (
        Standing.objects.filter(site=ledger.site_id, iso_week=ledger.iso_week, held__gt=0)
        .select_related("listing")
        .order_by("listing")
    ):
        settle(ledger, held, state=Vote.State.COUNTED, reason=UNDECIDED, at=at)
    standings = list(
        Standing.objects.filter(site=ledger.site_id, iso_week=ledger.iso_week)
        .select_related("listing__company")
        .prefetch_related("listing__categories")
        .order_by("-points", "launched_at", "listing")
    )
    entries: list[tuple[Kind, dict[str, Any], datetime]] = []
    results: list[dict[str, Any]] = []
    for standing in standings:
        standing.is_final = True
        standing.categories = sorted(category.slug for category in standing.listing.categories.all())
        if standing.listing.status == Listing.Status.LIVE:
            standing.rank = len(results) + 1
            results.append(_result(standing))
        else:
            entries.append((Kind.LEAVE, {"listing": standing.listing_id}, at))
    Standing.objects.bulk_update(standings, ["rank", "categories", "is_final"])
    ledger.closed_at = at
    ledger.salt = ""
    store_totals(ledger, results)
    ledger.vote_counts = _count_votes(ledger, standings)
    ledgers.append_all(ledger, [*entries, (Kind.CLOSE, {"results": results}, at)])
    _forget_groups(ledger, standings)
    _copy_votes(ledger.site_id, ledger.iso_week, is_last=True)
    _record_ranks(standings)
    touch(site_name(ledger.site_id))
    logger.info("board closed", extra={"site": ledger.site_id, "week": ledger.iso_week, "hash": ledger.head})
    return True


def _count_votes(ledger: VoteLedger, standings: Sequence[Standing]) -> dict[str, int]:
    """Count the week's votes by class, and those that shared their weight, were reviewed or were dismissed."""
    votes = Vote.objects.filter(listing__in=[standing.listing_id for standing in standings])
    result = list(votes.values_list("trust", "points", "state").annotate(count=Count("pk")))
    weights = ledgers.rule_of(ledger).weights if result else {}
    counts: Counter[str] = Counter()
    for trust, points, state, count in result:
        counts[trust] += count
        counts["shared"] += count if points < weights[trust] else 0
        counts[Vote.State.DISMISSED] += count if state == Vote.State.DISMISSED else 0
    counts["reviewed"] = sum(decision["votes"] for decision in ledger.decisions)
    return dict(counts)


def _forget_groups(ledger: VoteLedger, standings: Sequence[Standing]) -> None:
    """Delete what votes had in common. The ledger keeps names that nobody can trace back without the salt."""
    VoteGroup.objects.filter(ledger=ledger).delete()
    listings = [standing.listing_id for standing in standings]
    Vote.objects.filter(listing__in=listings).exclude(groups={}).update(groups={})


def _record_ranks(standings: Sequence[Standing]) -> None:
    """Tell the owners of ranked listings how the week ended."""
    record_all(
        event_of(
            "leaderboard.closed",
            standing.listing.event_subject(),
            week=standing.iso_week,
            rank=standing.rank,
            votes=standing.votes,
        )
        for standing in standings
        if standing.rank is not None
    )


def store_totals(ledger: VoteLedger, results: Sequence[Mapping[str, Any]]) -> None:
    """Set a week's totals on its ledger from the `results` of its `close` entry. The caller saves it."""
    ledger.launches = len(results)
    ledger.votes = sum(result["votes"] for result in results)
    ledger.launches_by_category = Counter(slug for result in results for slug in result["categories"])


def copy_votes() -> int:
    """Update `Listing.votes`, which orders searches, from open leaderboards. Returns how many changed.

    Skips locked listings until the next run, so that it never waits.
    """
    boards = VoteLedger.objects.filter(closed_at__isnull=True)
    return sum(_copy_votes(site_id, week, is_last=False) for site_id, week in boards.values_list("site_id", "iso_week"))


@transaction.atomic
def _copy_votes(site_id: int, week: str, *, is_last: bool) -> int:
    """Copy the votes of one leaderboard. At its close, wait for every listing's lock."""
    behind = Standing.objects.filter(site=site_id, iso_week=week).exclude(votes=F("listing__votes"))
    listings = Listing.objects.filter(pk__in=list(behind.values_list("listing", flat=True))).order_by("pk")
    locked = list(listings.select_for_update(no_key=True, skip_locked=not is_last).values_list("pk", flat=True))
    counted = Standing.objects.filter(listing=OuterRef("pk")).values("votes")
    # Votes on public pages may be this old (docs/decisions/0024).
    with only(tuple):
        return Listing.objects.filter(pk__in=locked).update(votes=Subquery(counted)) if locked else 0


def _lock_listings(ledger_id: int) -> None:
    """Lock the listings of a ledger's week, ordered by id."""
    ledger = VoteLedger.objects.get(pk=ledger_id)
    standings = Standing.objects.filter(site=ledger.site_id, iso_week=ledger.iso_week)
    listings = Listing.objects.filter(pk__in=standings.values("listing")).order_by("pk")
    list(listings.select_for_update(no_key=True).values_list("pk"))


def _result(standing: Standing) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "listing": standing.listing_id,
        "votes": standing.votes,
        "points": standing.points,
        "categories": standing.categories,
    }


def _open_ledger(site: Site, week: Week) -> VoteLedger | None:
    """Lock and return the week's ledger, or None if the week is over."""
    if week < current_week():
        return None
    if not VoteLedger.objects.filter(site=site, iso_week=str(week)).exists():
        over = VoteLedger.objects.filter(site=site, closed_at__isnull=True, iso_week__lt=str(current_week()))
        for pk in list(over.order_by("iso_week").values_list("pk", flat=True)):
            close_board(pk)
    ledger = ledgers.lock_or_open(site=site, week=week)
    return None if ledger.closed_at else ledger
