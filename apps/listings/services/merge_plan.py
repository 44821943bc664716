"""Plan what merging two companies would do. The confirmation page shows it, and the merge follows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from apps.accounts.models import User
from apps.listings.models import Company, Follow, Listing, Milestone, Update
from apps.listings.services.sections import SECTIONS
from apps.sites.models import Site

Status = Listing.Status

# People know the kept company by its name and website.
FACTS = (
    "logo_url", "founded_year", "country", "city", "team_size", "stage", "funding", "legal_name", "contact_email",
    "pricing_model", "price_from_cents", "price_currency", "price_period", "platforms", "tech_stack",
    "audience", "screenshots", "video_url",
    "docs_url", "openapi_url", "mcp_url", "llms_url", "socials",
)  # fmt: skip
# Content of a paid plan. Buyers keep it on the listing that remains.
PAID_SECTIONS = tuple(SECTIONS)


class ListingOutcome(StrEnum):
    """What happens to a listing of the company that is merged away."""

    MOVES = "moves"
    CLOSES = "closes"


@dataclass(frozen=True, slots=True)
class FactLine:
    """One fact of both companies, and the kept company's value afterwards."""

    name: str
    keep: Any
    drop: Any
    result: Any

    @property
    def is_filled(self) -> bool:
        return bool(self.result != self.keep)


@dataclass(frozen=True, slots=True)
class ListingLine:
    """One listing of the dropped company: it moves over, or closes in favor of `kept`, which gets its content.

    `takes_story` means that `kept` also gets its founder story, because it has none.
    """

    listing: Listing
    kept: Listing | None
    milestones: Sequence[Milestone] = ()
    updates: Sequence[Update] = ()
    follows: Sequence[Follow] = ()
    takes_story: bool = False

    @property
    def site(self) -> Site:
        site: Site = self.listing.site
        return site

    @property
    def outcome(self) -> ListingOutcome:
        return ListingOutcome.CLOSES if self.kept else ListingOutcome.MOVES


@dataclass(frozen=True, slots=True)
class MergePlan:
    """`problems` are sentences about what prevents the merge. With any, nothing is merged."""

    keep: Company
    drop: Company
    facts: list[FactLine]
    lines: list[ListingLine]
    problems: list[str]

    @property
    def owners(self) -> list[User]:
        """The accounts that may own the merged company. Only one if both companies have the same owner."""
        return [self.keep.owner] if self.keep.owner_id == self.drop.owner_id else [self.keep.owner, self.drop.owner]


def plan_merge(*, keep: Company, drop: Company) -> MergePlan:
    """Return what `merge_companies` would do now. Reads only. Pass both companies with their owners."""
    if problems := _why_not_companies(keep, drop):
        return MergePlan(keep, drop, [], [], problems)
    listings = {listing.site_id: listing for listing in _listings(keep)}
    lines = [_line(listing, listings.get(listing.site_id)) for listing in _listings(drop)]
    problems = [problem for line in lines if (problem := _why_not_line(line))]
    return MergePlan(keep, drop, [_fact(name, keep, drop) for name in FACTS], lines, problems)


def _listings(company: Company) -> list[Listing]:
    """Return listings that are still open. One closed by an earlier merge stays where it is."""
    own = Listing.objects.filter(company=company, merged_into=None)
    return list(own.select_related("company__owner", "site").order_by("pk"))


def _fact(name: str, keep: Company, drop: Company) -> FactLine:
    mine, theirs = getattr(keep, name), getattr(drop, name)
    if name in ("price_currency", "price_period"):
        # They mean nothing without the price that they belong to.
        is_filled = keep.price_from_cents is None and drop.price_from_cents is not None
        return FactLine(name, mine, theirs, theirs if is_filled else mine)
    if name == "socials":
        return FactLine(name, mine, theirs, {**theirs, **mine})
    # A price of 0 is a fact. Only an empty value is missing.
    is_empty = mine is None or mine in ("", [], {})
    return FactLine(name, mine, theirs, theirs if is_empty else mine)


def _line(listing: Listing, kept: Listing | None) -> ListingLine:
    if kept is None:
        return ListingLine(listing, None)
    reached = {(one.date, one.title.casefold()) for one in kept.milestones.all()}
    posted = {(one.title, one.body) for one in kept.updates.all()}
    follows = Follow.objects.filter(listing=kept).values("user")
    return ListingLine(
        listing,
        kept,
        milestones=[one for one in listing.milestones.all() if (one.date, one.title.casefold()) not in reached],
        updates=[one for one in listing.updates.all() if (one.title, one.body) not in posted],
        follows=list(Follow.objects.filter(listing=listing).exclude(user__in=follows).order_by("pk")),
        # Two stories can't be merged, so each stays with its listing.
        takes_story=hasattr(listing, "founder_story") and not hasattr(kept, "founder_story"),
    )


def _why_not_companies(keep: Company, drop: Company) -> list[str]:
    if keep.pk == drop.pk:
        return ["Choose two different companies."]
    return [
        f"{company.name} was already merged into {company.merged_into.name}. Choose that one."
        for company in (keep, drop)
        if company.merged_into
    ]


def _why_not_line(line: ListingLine) -> str:
    """Refuse to close a paid launch without its buyer, or to lead a public page to a hidden one."""
    listing, kept = line.listing, line.kept
    if kept is None:
        return ""
    names = (listing.company.name, listing.site.name)
    is_ahead = Status.SCHEDULED in (listing.status, listing.suspended_from)
    if is_ahead and listing.plan == Listing.Plan.PAID:
        return (
            f"The launch of {names[0]} on {names[1]} in {listing.launch_week} is paid. Keep "
            f"{names[0]} instead, refund the launch, or merge after it."
        )
    if listing.status == Status.LIVE and kept.status != Status.LIVE:
        return (
            f"{names[0]} is live on {names[1]}, but {kept.company.name} is {kept.state_words}. Keep {names[0]} instead."
        )
    return ""
