"""Every status by every persona on every surface: who sees a listing where, as one table.

A row is one surface: what it shows to each persona, by status. Add a line to SURFACES for each new surface.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.core.text.weeks import Week
from apps.launches.models import Vote
from apps.listings.models import Category, Follow, Listing, Update
from apps.sites.models import Site
from apps.stories.models import FounderStory
from tests.api import ApiClient
from tests.factories import CategoryFactory, UserFactory
from tests.listings.statuses import in_status

pytestmark = pytest.mark.db

Status = Listing.Status
PERSONAS = ("nobody", "another owner", "owner", "staff")
NAME = "Quillfeather"
SLUG = "quillfeather"


@dataclass(frozen=True)
class Visit:
    """A persona who looks for a listing."""

    listing: Listing
    user: User | None
    browser: Client

    def reads(self, address: str) -> bool:
        """Whether a page names the listing; one that is not there does not."""
        answer = self.browser.get(address)
        assert answer.status_code in {200, 404}, address
        return answer.status_code == 200 and NAME in answer.content.decode()

    def opens(self, address: str) -> bool:
        return bool(self.browser.get(address).status_code == 200)

    def api(self, path: str, query: dict[str, str] | None = None) -> Any:
        return ApiClient(self.user).get(path, query)

    def lists(self, path: str, query: dict[str, str] | None = None) -> bool:
        answer = self.api(path, query)
        assert answer.status_code == 200, path
        return any(item["name"] == NAME for item in answer.json()["items"])

    def votes(self) -> bool:
        self.browser.post(f"/listings/{SLUG}/vote", follow=True)
        return Vote.objects.filter(listing=self.listing, user=self.user).exists() if self.user else False

    def follows(self) -> bool:
        self.browser.post(f"/listings/{SLUG}/follow")
        return Follow.objects.filter(listing=self.listing, user=self.user).exists() if self.user else False


Seen = Callable[[str, str], bool]


def live_only(status: str, who: str) -> bool:
    return status == Status.LIVE


def live_coming_or_own(status: str, who: str) -> bool:
    """Before its launch visitors see name and headline on a coming soon page, and nothing anywhere else."""
    return status in Listing.UPCOMING or live_or_own(status, who)


def live_or_own(status: str, who: str) -> bool:
    return status == Status.LIVE or who in {"owner", "staff"}


def own(status: str, who: str) -> bool:
    return who == "owner"


def live_signed_in(status: str, who: str) -> bool:
    return status == Status.LIVE and who != "nobody"


def before_and_while_live(status: str, who: str) -> bool:
    """The picture that an owner puts on a website ahead of the launch is there for everybody."""
    return status in {Status.DRAFT, Status.AWAITING_BADGE, Status.SCHEDULED, Status.LIVE}


WEEK = str(Week.of(timezone.now()))
SURFACES: dict[str, tuple[Callable[[Visit], bool], Seen]] = {
    "page": (lambda visit: visit.reads(f"/listings/{SLUG}"), live_coming_or_own),
    "front page": (lambda visit: visit.reads("/"), live_only),
    "board of the week": (lambda visit: visit.reads("/boards/community-weekly"), live_only),
    "board of the month": (lambda visit: visit.reads("/boards/community-monthly"), live_only),
    "board of the year": (lambda visit: visit.reads("/boards/community-yearly"), live_only),
    "board of all time": (lambda visit: visit.reads("/boards/community-all-time"), live_only),
    "search page": (lambda visit: visit.reads("/search?q=useful"), live_only),
    "search page by name": (lambda visit: visit.reads(f"/search?q={NAME[:8]}"), live_only),
    "category page": (lambda visit: visit.reads("/categories/quills"), live_only),
    "updates page": (lambda visit: visit.reads("/updates"), live_only),
    "site feed": (lambda visit: visit.reads("/updates.atom"), live_only),
    "listing feed": (lambda visit: visit.opens(f"/listings/{SLUG}/updates.atom"), live_only),
    "stories page": (lambda visit: visit.reads("/stories"), live_only),
    "story": (lambda visit: visit.opens(f"/stories/{SLUG}"), live_only),
    "weeks page": (lambda visit: visit.reads("/weeks"), lambda status, who: False),
    "badge picture": (lambda visit: visit.opens(f"/listings/{SLUG}/badge.svg"), before_and_while_live),
    "live badge": (lambda visit: visit.opens(f"/listings/{SLUG}/badges/live_now.svg"), live_only),
    "search_listings": (lambda visit: visit.lists("/listings", {"q": NAME}), live_only),
    "search_listings by category": (lambda visit: visit.lists("/listings", {"category": "quills"}), live_only),
    "search_listings by week": (lambda visit: visit.lists("/listings", {"week": WEEK}), live_only),
    "leaderboard": (lambda visit: visit.lists("/leaderboards/community-weekly"), live_only),
    "leaderboard of all time": (lambda visit: visit.lists("/leaderboards/community-all-time"), live_only),
    "vote": (Visit.votes, live_signed_in),
    "follow": (Visit.follows, live_signed_in),
}
OWNERS: dict[str, tuple[Callable[[Visit], bool], Seen]] = {
    "list_my_listings": (lambda visit: visit.lists("/me/listings"), own),
    "get_my_listing": (lambda visit: visit.api(f"/me/listings/{visit.listing.pk}").status_code == 200, own),
    "get_badges": (lambda visit: visit.api(f"/me/listings/{visit.listing.pk}/badges").status_code == 200, own),
    "dashboard": (lambda visit: visit.reads("/account"), own),
    "manage page": (lambda visit: visit.opens(f"/listings/{SLUG}/manage"), own),
    "history page": (lambda visit: visit.opens(f"/listings/{SLUG}/history"), own),
    "badges page": (lambda visit: visit.opens(f"/listings/{SLUG}/badges"), own),
}


@pytest.fixture
def make(site: Site) -> Callable[..., Visit]:
    """A listing of a status with everything that could give it away, and a persona before it."""

    def visit(status: str, who: str) -> Visit:
        listing = in_status(status, slug=SLUG, company__name=NAME, headline="Something useful")
        category: Category = CategoryFactory.create(site=site, slug="quills", name="Quills")
        listing.categories.add(category)
        Update.objects.create(listing=listing, title=f"{NAME} grows", body="A text.")
        FounderStory.objects.create(
            listing=listing, author=listing.company.owner, title=f"How {NAME} began", published_at=timezone.now()
        )
        user = listing.company.owner if who == "owner" else None
        if who in {"another owner", "staff"}:
            user = UserFactory.create(is_staff=who == "staff")
        browser = Client()
        if user:
            browser.force_login(user)
        return Visit(listing, user, browser)

    return visit


@pytest.mark.slow
@pytest.mark.parametrize(("status", "who"), list(product(Status.values, PERSONAS)))
def test_who_sees_a_listing_where(make: Callable[..., Visit], status: str, who: str) -> None:
    visit = make(status, who)
    rows = SURFACES if who == "nobody" else {**SURFACES, **OWNERS}
    seen = {name: looks(visit) for name, (looks, _) in rows.items()}
    assert seen == {name: expected(status, who) for name, (_, expected) in rows.items()}


@pytest.mark.slow
@pytest.mark.parametrize("who", ["another owner", "owner", "staff"])
def test_a_listing_that_is_suspended_vanishes_at_once(make: Callable[..., Visit], who: str) -> None:
    visit = make("live", who)
    looks = {name: row for name, row in SURFACES.items() if name not in {"vote", "follow"}}
    assert {name for name, (look, expected) in looks.items() if look(visit)} == {
        name for name, (_, expected) in looks.items() if expected("live", who)
    }
    Listing.objects.filter(pk=visit.listing.pk).update(status="suspended", suspended_from="live")
    assert {name for name, (look, _) in looks.items() if look(visit)} == {
        name for name, (_, expected) in looks.items() if expected("suspended", who)
    }


@pytest.mark.parametrize("status", sorted(set(Status.values) - {"live"}))
def test_why_a_listing_is_hidden_is_its_owners_matter(make: Callable[..., Visit], status: str) -> None:
    visit = make(status, "owner")
    shown = visit.api(f"/me/listings/{visit.listing.pk}").json()
    assert shown["status"] == status
    assert shown["status_reason"] == visit.listing.status_reason
    assert bool(visit.listing.status_reason) == (status in {"suspended", "rejected"})


def test_a_merged_listing_leads_to_the_one_it_became(make: Callable[..., Visit]) -> None:
    visit = make("archived", "nobody")
    kept = in_status("live", slug="kept")
    Listing.objects.filter(pk=visit.listing.pk).update(merged_into=kept)
    answer = visit.browser.get(f"/listings/{SLUG}")
    assert (answer.status_code, answer["Location"]) == (301, "/listings/kept")
