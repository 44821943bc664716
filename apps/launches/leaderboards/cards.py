"""Listing cards for pages, with votes over time, the visitor's vote and awards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from sys import maxsize
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, DateTimeField, F, Func, Value
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.launches.models import Vote
from apps.launches.votes.voting import takes_votes
from apps.listings.models import Category, Listing, Rating, Update

# A listing takes votes only in its launch week. Each point is half a day.
STEP = timedelta(hours=12)
STEPS = timedelta(days=7) // STEP
# A Monday, as weeks begin.
_EPOCH = datetime(2001, 1, 1, tzinfo=UTC)
_MOMENT = DateTimeField()


@dataclass(frozen=True, slots=True)
class CategoryLink:
    slug: str
    name: str
    page_url: str


@dataclass(frozen=True, slots=True)
class ListingCard:
    """A listing in a list. `is_open` means that it takes votes now, `is_own` that the visitor owns it."""

    id: int
    slug: str
    name: str
    page_url: str
    headline: str
    logo_key: str
    categories: list[CategoryLink]
    votes: int
    voted: bool
    is_own: bool
    is_open: bool
    rank: int
    points: list[int]
    award: str | None
    rating: Rating | None
    comment_count: int
    update_count: int
    is_sponsored: bool = False


def listing_cards(listings: Iterable[Listing], *, user: User | AnonymousUser, first_rank: int = 1) -> list[ListingCard]:
    """Return cards for listings loaded `with_details()`. Always three queries."""
    return _cards(list(listings), range(first_rank, maxsize), user=user, award="")


def board_cards(standings: Iterable[Any], *, user: User | AnonymousUser, award: str = "") -> list[ListingCard]:
    """Return cards for standings from `boards.ranked`, each with its rank.

    The first three get the `award`, such as 'of the week'. Three queries besides those of the standings.
    """
    result = list(standings)
    places = [standing.place for standing in result]
    return _cards([standing.listing for standing in result], places, user=user, award=award)


def _cards(
    listings: list[Listing], ranks: Iterable[int], *, user: User | AnonymousUser, award: str
) -> list[ListingCard]:
    ids = [listing.pk for listing in listings]
    voted = voted_by(user, ids)
    points = votes_over_week(listings)
    counts = dict(Update.objects.filter(listing__in=ids).order_by().values_list("listing").annotate(count=Count("id")))
    return [
        ListingCard(
            id=listing.pk,
            slug=listing.slug,
            name=listing.company.name,
            page_url=listing.path,
            headline=listing.headline,
            logo_key=listing.company.logo_key,
            categories=category_links(listing.categories.all()),
            votes=listing.current_votes,
            voted=listing.pk in voted,
            is_own=listing.company.owner_id == user.pk,
            is_open=takes_votes(listing),
            rank=rank,
            points=points.get(listing.pk, []),
            award=award_text(rank, award) if listing.current_votes else None,
            rating=listing.rating,
            comment_count=listing.comment_count,
            update_count=counts.get(listing.pk, 0),
        )
        for rank, listing in zip(ranks, listings, strict=False)
    ]


def category_links(categories: Iterable[Category]) -> list[CategoryLink]:
    return [
        CategoryLink(category.slug, category.name, reverse("category", args=[category.slug])) for category in categories
    ]


def votes_over_week(listings: Sequence[Listing]) -> dict[int, list[int]]:
    """Return by listing the votes in each half day of its launch week until now, oldest first.

    Leaves out listings without votes or a week. One query.
    """
    starts = {listing.pk: listing.week.starts_at for listing in listings if listing.week}
    now = timezone.now()
    by_step: Any = (
        Vote.objects.filter(listing__in=starts)
        .annotate(step=Func(Value(STEP), F("created_at"), Value(_EPOCH), function="date_bin", output_field=_MOMENT))
        .order_by()
        .values_list("listing_id", "step")
        .annotate(count=Count("id"))
    )
    counted: dict[int, list[int]] = {}
    for listing_id, step, count in by_step:
        start = starts[listing_id]
        shown = min((now - start) // STEP + 1, STEPS)
        place = (step - start) // STEP
        if 0 <= place < shown:
            counted.setdefault(listing_id, [0] * shown)[place] = count
    return counted


def voted_by(user: User | AnonymousUser, ids: Sequence[int]) -> set[int]:
    """Return which of these listings the visitor has voted for."""
    if not user.is_authenticated:
        return set()
    return set(Vote.objects.filter(user=user, listing__in=ids).values_list("listing_id", flat=True))


def award_text(rank: int | None, award: str) -> str | None:
    """Return `#1 of the week`, `#2`, `#3` or an empty text."""
    if not award or rank is None or rank > 3:
        return None
    return f"#1 {award}" if rank == 1 else f"#{rank}"
