"""Listings as the pages show them: with votes over time, the visitor's own vote, and awards."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count
from django.db.models.functions import TruncDay
from django.urls import reverse

from apps.accounts.models import User
from apps.launches.models import Vote
from apps.listings.models import Listing, Update

DAYS_SHOWN = 14


@dataclass(frozen=True, slots=True)
class CategoryLink:
    slug: str
    name: str
    page_url: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board."""

    id: int
    slug: str
    name: str
    page_url: str
    headline: str
    logo_url: str
    categories: list[CategoryLink]
    votes: int
    voted: bool
    rank: int
    points: list[int]
    award: str | None
    update_count: int
    is_sponsored: bool = False


def rows(listings: Iterable[Listing], *, user: User | AnonymousUser, first_rank: int = 1, award: str = "") -> list[Row]:
    """Rows for listings loaded `with_details()`. `award` is put on the first three, such as 'of the week'.

    Three queries whatever the number of listings.
    """
    found = list(listings)
    ids = [listing.pk for listing in found]
    voted = _voted(ids, user)
    points = votes_by_day(ids)
    counts = dict(Update.objects.filter(listing__in=ids).order_by().values_list("listing").annotate(count=Count("id")))
    return [
        Row(
            id=listing.pk,
            slug=listing.slug,
            name=listing.company.name,
            page_url=listing.path,
            headline=listing.headline,
            logo_url=listing.company.logo_url,
            categories=category_links(listing),
            votes=listing.votes,
            voted=listing.pk in voted,
            rank=rank,
            points=points.get(listing.pk, []),
            award=_award(rank, award, listing.votes),
            update_count=counts.get(listing.pk, 0),
        )
        for rank, listing in enumerate(found, start=first_rank)
    ]


def category_links(listing: Listing) -> list[CategoryLink]:
    return [
        CategoryLink(category.slug, category.name, reverse("category", args=[category.slug]))
        for category in listing.categories.all()
    ]


def votes_by_day(listing_ids: Sequence[int]) -> dict[int, list[int]]:
    """Votes of each of the last days, oldest first, for every listing that has any."""
    today = datetime.now(UTC).date()
    first = today - timedelta(days=DAYS_SHOWN - 1)
    start = datetime.combine(first, datetime.min.time(), UTC)
    counted: dict[int, list[int]] = defaultdict(lambda: [0] * DAYS_SHOWN)
    by_day: Any = (
        Vote.objects.filter(listing__in=listing_ids, created_at__gte=start)
        .annotate(day=TruncDay("created_at"))
        .values_list("listing_id", "day")
        .annotate(count=Count("id"))
    )
    for listing_id, day, count in by_day:
        counted[listing_id][(day.date() - first).days] = count
    return dict(counted)


def _voted(ids: Sequence[int], user: User | AnonymousUser) -> set[int]:
    if not user.is_authenticated:
        return set()
    return set(Vote.objects.filter(user=user, listing__in=ids).values_list("listing_id", flat=True))


def _award(rank: int, award: str, votes: int) -> str | None:
    if not award or rank > 3 or not votes:
        return None
    return f"#1 {award}" if rank == 1 else f"#{rank}"
