"""Add launches to the leaderboard of their week, and close it.

`apps/launches/votes/ledger.py` describes the order of locks.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.utils import timezone

from apps.core.valkey.generations import only, site_name, touch
from apps.core.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.models import LedgerEntry, Standing, VoteLedger
from apps.launches.votes import ledger as ledgers
from apps.listings.models import Listing
from apps.sites.models import Site

logger = logging.getLogger(__name__)

Kind = LedgerEntry.Kind


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
def close_board(ledger_id: int, *, at: datetime | None = None) -> bool:
    """Freeze a week's ranks and categories, end its ledger and delete its salt. Returns False if it was closed."""
    _lock_listings(ledger_id)
    ledger = VoteLedger.objects.select_for_update().get(pk=ledger_id)
    if ledger.closed_at:
        return False
    at = at or timezone.now()
    standings = list(
        Standing.objects.filter(site=ledger.site_id, iso_week=ledger.iso_week)
        .select_related("listing")
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
    ledgers.append_all(ledger, [*entries, (Kind.CLOSE, {"results": results}, at)])
    _copy_votes(ledger.site_id, ledger.iso_week, is_last=True)
    touch(site_name(ledger.site_id))
    logger.info("board closed", extra={"site": ledger.site_id, "week": ledger.iso_week, "hash": ledger.head})
    return True


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
