"""Kinds of badges, and which ones a listing has earned."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.urls import reverse

from apps.core.text.dates import week_and_year
from apps.core.text.weeks import Week
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.boards import place_of
from apps.launches.leaderboards.links import label
from apps.launches.leaderboards.periods import Board, period_around
from apps.launches.models import Standing
from apps.listings.models import Listing
from apps.sites.models import Site

Status = Listing.Status


class Kind(StrEnum):
    LAUNCHING_ON = "launching_on"
    LIVE_NOW = "live_now"
    FEATURED_ON = "featured_on"
    WEEK_1 = "week_1"
    WEEK_2 = "week_2"
    WEEK_3 = "week_3"
    MONTH_1 = "month_1"
    YEAR_1 = "year_1"
    FOUNDER_STORY = "founder_story"


# Kinds that replace expired badges, so that no owner's page shows a broken picture.
SUCCESSOR: Mapping[Kind, Kind] = {Kind.LAUNCHING_ON: Kind.FEATURED_ON, Kind.LIVE_NOW: Kind.FEATURED_ON}
TITLES: Mapping[Kind, str] = {
    Kind.LAUNCHING_ON: "Launching on",
    Kind.LIVE_NOW: "Live now on",
    Kind.FEATURED_ON: "Featured on",
    Kind.WEEK_1: "#1 of the week",
    Kind.WEEK_2: "#2 of the week",
    Kind.WEEK_3: "#3 of the week",
    Kind.MONTH_1: "#1 of the month",
    Kind.YEAR_1: "#1 of the year",
    Kind.FOUNDER_STORY: "Founder story on",
}
_OF_SEVERAL_WEEKS = frozenset({Kind.MONTH_1, Kind.YEAR_1})
_AWARDS = (Kind.FOUNDER_STORY, Kind.WEEK_3, Kind.WEEK_2, Kind.WEEK_1, Kind.MONTH_1, Kind.YEAR_1)
_AHEAD = frozenset({Status.DRAFT, Status.AWAITING_BADGE, Status.SCHEDULED})


@dataclass(frozen=True, slots=True)
class Badge:
    """A kind of badge for one listing: whether it is earned, and what for.

    `period` is 2026-W46, 2026-11 or 2026 for ranks on leaderboards. `page_path` is set if the badge links to another
    page than the listing's.
    """

    kind: Kind
    is_earned: bool
    reason: str
    period: str = ""
    page_path: str = ""

    @property
    def title(self) -> str:
        return TITLES[self.kind]

    def title_on(self, site: Site) -> str:
        """Return the title, with the site's name in kinds that include it: `Live now on Slipway`, `#1 of the week`."""
        return f"{self.title} {site.name}" if self.title.endswith(" on") else self.title


@dataclass(slots=True)
class Earning:
    """Facts about one listing that the rules need, loaded on first use."""

    listing: Listing
    _standing: list[Standing | None] = field(default_factory=list)

    @property
    def standing(self) -> Standing | None:
        """Return the listing's rank on its week's leaderboard. A rank without votes earns no award."""
        if not self._standing:
            result = Standing.objects.select_related("site").filter(listing=self.listing, votes__gt=0).first()
            self._standing.append(result)
        return self._standing[0]

    @property
    def is_live(self) -> bool:
        return self.listing.status == Status.LIVE


def all_badges(listing: Listing) -> list[Badge]:
    """Return every kind, earned or not, in the order of Kind. At most six queries."""
    earning = Earning(listing)
    return [_RULES[kind](earning, kind) for kind in Kind]


def earned_awards(listing: Listing) -> list[Badge]:
    """Return the awards of a listing loaded `with_details()`: ranks and its story. Four queries at most.

    The first of a month or year is also the first of its week, so other listings are not checked for those.
    """
    standing = getattr(listing, "standing", None)
    if standing is not None:
        standing.site = listing.site
    earning = Earning(listing, [standing if standing is not None and standing.votes else None])
    is_first = standing is not None and standing.rank == 1
    kinds = [kind for kind in _AWARDS if is_first or kind not in _OF_SEVERAL_WEEKS]
    return [badge for kind in kinds if (badge := _RULES[kind](earning, kind)).is_earned]


def badge_of(listing: Listing, kind: Kind) -> Badge:
    """Return one kind, for its picture. Ranks of a week take two queries, those of a month or year four."""
    return _RULES[kind](Earning(listing), kind)


def shown_kind(listing: Listing) -> Kind | None:
    """Return the badge that changes with the listing's state, or None while the listing is hidden."""
    if listing.status in _AHEAD:
        return Kind.LAUNCHING_ON
    if listing.status != Status.LIVE:
        return None
    return Kind.LIVE_NOW if listing.week == current_week() else Kind.FEATURED_ON


def _launching(earning: Earning, kind: Kind) -> Badge:
    if earning.listing.status in _AHEAD:
        return Badge(kind, True, "Launching soon.")
    return Badge(kind, False, "For listings before their launch.")


def _live_now(earning: Earning, kind: Kind) -> Badge:
    week = earning.listing.week
    if earning.is_live and week == current_week():
        return Badge(kind, True, f"Launched in {week_and_year(week)}.")
    if earning.is_live:
        return Badge(kind, False, f"The launch week, {week_and_year(week)}, is over.")
    return Badge(kind, False, "For listings in their launch week.")


def _featured(earning: Earning, kind: Kind) -> Badge:
    if earning.is_live:
        return Badge(kind, True, f"Launched in {week_and_year(earning.listing.week)}.")
    return Badge(kind, False, "For launched listings.")


def _place_in_week(earning: Earning, kind: Kind) -> Badge:
    rank = int(kind.removeprefix("week_"))
    standing = earning.standing
    if not earning.is_live or standing is None:
        return Badge(kind, False, f"Awarded to the week's #{rank}.")
    if standing.rank is None:
        return Badge(kind, False, f"{week_and_year(standing.iso_week)} isn't closed yet.")
    reason = f"#{standing.rank} in {week_and_year(standing.iso_week)}."
    return Badge(kind, standing.rank == rank, reason, standing.iso_week)


def _first_of(board: Board, name: str) -> Callable[[Earning, Kind], Badge]:
    def rule(earning: Earning, kind: Kind) -> Badge:
        standing = earning.standing
        if not earning.is_live or standing is None or standing.rank is None:
            return Badge(kind, False, f"Awarded to the {name}'s #1 once all its weeks are closed.")
        around = period_around(board, Week.parse(standing.iso_week))
        period, text = around.name, label(around)
        place = place_of(standing, board)
        if place is None:
            return Badge(kind, False, f"{text} isn't final yet.", period)
        return Badge(kind, place == 1, f"#{place} in {text}.", period)

    return rule


def _story(earning: Earning, kind: Kind) -> Badge:
    # Stories are an app above this one, so the story is reached by the listing's reverse relation.
    story = getattr(earning.listing, "founder_story", None)
    if story is None or not story.is_shown:
        return Badge(kind, False, "For live listings with a published founder story.")
    return Badge(kind, True, "The founder story is published.", page_path=reverse("story", args=[earning.listing.slug]))


_RULES: dict[Kind, Callable[[Earning, Kind], Badge]] = {
    Kind.LAUNCHING_ON: _launching,
    Kind.LIVE_NOW: _live_now,
    Kind.FEATURED_ON: _featured,
    Kind.WEEK_1: _place_in_week,
    Kind.WEEK_2: _place_in_week,
    Kind.WEEK_3: _place_in_week,
    Kind.MONTH_1: _first_of(Board.MONTHLY, "month"),
    Kind.YEAR_1: _first_of(Board.YEARLY, "year"),
    Kind.FOUNDER_STORY: _story,
}
