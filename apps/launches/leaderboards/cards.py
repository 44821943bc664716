"""Listing cards for pages, with votes over time, the visitor's vote and awards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import count
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db.models import CharField, Count, DateTimeField, F, Func, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.core.api.lists.rows import FromChoice, Made, Rows
from apps.core.text.weeks import Week
from apps.launches.models import Vote
from apps.launches.votes.voting import takes_votes
from apps.listings.models import Category, Listing, Rating, Update, rating_of

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


def category_links(categories: Iterable[Category]) -> list[CategoryLink]:
    return [_category_link(category.slug, category.name) for category in categories]


@lru_cache(maxsize=1_000)
def _category_link(slug: str, name: str) -> CategoryLink:
    return CategoryLink(slug, name, reverse("category", args=[slug]))


CARD_ROWS = Rows(
    Listing,
    id="id",
    slug="slug",
    name="company__name",
    page_url=Made(Listing.path_of, "slug"),
    headline="headline",
    logo_key="company__logo_key",
    categories=Made(
        lambda pairs: [_category_link(slug, name) for slug, name in pairs],
        ArraySubquery(
            Category.objects.filter(listings=OuterRef("pk"))
            .order_by("position", "name")
            .values_list(Func("slug", "name", template="ARRAY[%(expressions)s]", output_field=ArrayField(CharField())))
        ),
    ),
    votes=Coalesce("standing__votes", "votes"),
    rating=Made(rating_of, "star_counts"),
    comment_count="comment_count",
    update_count=Coalesce(
        Subquery(Update.objects.filter(listing=OuterRef("pk")).order_by().values("listing").values_list(Count("id"))),
        0,
    ),
    owner_id="company__owner_id",
    status="status",
    launch_week="launch_week",
)
# Of a leaderboard, whose choice has ranks.
RANKED_ROWS = CARD_ROWS.like(rank=FromChoice())


def listing_cards(
    listings: Sequence[int], *, user: User | AnonymousUser, ranks: Iterable[int] = (), award: str = ""
) -> list[ListingCard]:
    """Return cards for listings by id, without those that are gone. They are ranked from 1 if not otherwise said.

    Always two queries, and one more with a user.
    """
    rank_of = dict(zip(listings, ranks or count(1), strict=False))
    return cards_of([{**row, "rank": rank_of[row["id"]]} for row in CARD_ROWS.of(listings)], user=user, award=award)


def cards_of(
    rows: Sequence[Mapping[str, Any]], *, user: User | AnonymousUser, first_rank: int = 1, award: str = ""
) -> list[ListingCard]:
    """Return cards for a page of `CARD_ROWS`, ranked from `first_rank`, or of `RANKED_ROWS`.

    The first three get the `award`, such as 'of the week'. Always one query, and one more with a user.
    """
    voted = voted_by(user, [row["id"] for row in rows])
    points = votes_over_week({row["id"]: row["launch_week"] for row in rows})
    result = []
    for place, row in enumerate(rows, start=first_rank):
        shown = {"rank": place, **row}
        owner, status, launch_week = shown.pop("owner_id"), shown.pop("status"), shown.pop("launch_week")
        card = ListingCard(
            **shown,
            points=points.get(row["id"], []),
            award=award_text(shown["rank"], award) if row["votes"] else None,
            voted=row["id"] in voted,
            is_own=owner == user.pk,
            is_open=takes_votes(status=status, launch_week=launch_week),
        )
        result.append(card)
    return result


def votes_over_week(launch_weeks: Mapping[int, str]) -> dict[int, list[int]]:
    """Return by listing the votes in each half day of its launch week until now, oldest first.

    Leaves out listings without votes or a week. One query.
    """
    starts = {pk: Week.parse(week).starts_at for pk, week in launch_weeks.items() if week}
    now = timezone.now()
    by_step: Any = (
        Vote.objects.filter(listing__in=starts)
        .annotate(step=Func(Value(STEP), F("created_at"), Value(_EPOCH), function="date_bin", output_field=_MOMENT))
        .order_by()
        .values_list("listing_id", "step")
        .annotate(votes=Count("id"))
    )
    counted: dict[int, list[int]] = {}
    for listing_id, step, votes in by_step:
        start = starts[listing_id]
        shown = min((now - start) // STEP + 1, STEPS)
        place = (step - start) // STEP
        if 0 <= place < shown:
            counted.setdefault(listing_id, [0] * shown)[place] = votes
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
