"""Rows of listings on pages follow each of their fields, although rendered rows are cached."""

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory

from apps.launches.leaderboards.cards import CategoryLink, ListingCard, listing_cards
from apps.listings.models import Listing, Rating, Update
from apps.sites.models import Site
from tests.factories import CategoryFactory, ListingFactory
from tests.process_caches import forget_everything

pytestmark = pytest.mark.django_db

CARD = ListingCard(
    id=1, slug="marina", name="Marina", page_url="/listings/marina", headline="Boats", logo_key="", categories=[],
    votes=3, voted=False, is_own=False, is_open=False, rank=2, points=[0, 1, 2], award="#2", rating=None,
    comment_count=0, update_count=0,
)  # fmt: skip
OTHERWISE: dict[str, Any] = {
    "slug": "harbor",
    "name": "Harbor <b>",
    "page_url": "/listings/harbor",
    "headline": "Ships",
    "logo_key": "pictures/1",
    "categories": [CategoryLink("boats", "Boats", "/categories/boats")],
    "votes": 4,
    "voted": True,
    "is_open": True,
    "rank": 3,
    "points": [0, 2, 2],
    "award": "",
    "rating": Rating(4.5, 5),
    "comment_count": 1,
    "update_count": 1,
    "is_sponsored": True,
}


def row(card: ListingCard, **context: Any) -> str:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    return render_to_string("launches/parts/listing_row.html", {"listing": card, "request": request, **context})


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_row_follows_each_field(name: str) -> None:
    before, card = row(CARD), replace(CARD, **{name: OTHERWISE[name]})
    cached = row(card)
    forget_everything()
    assert row(card) == cached != before
    assert row(CARD) == before


def test_a_row_follows_what_its_page_says_beside() -> None:
    assert len({row(CARD), row(CARD, unranked=True), row(CARD, row_note="First"), row(CARD, row_note="Last")}) == 4
    assert row(CARD) == row(CARD)


def test_cards_show_what_their_listings_have(site: Site) -> None:
    listing = ListingFactory.create(live=True, star_counts=[0, 0, 0, 1, 4], comment_count=2, votes=7)
    later, sooner = (
        CategoryFactory.create(site=site, name=name, slug=name.lower(), position=place)
        for place, name in enumerate("BA")
    )
    listing.categories.set([later, sooner])
    Update.objects.create(listing=listing, title="t", body="b")
    plain = ListingFactory.create()
    of_plain, of_listing = listing_cards(
        [plain.pk, listing.pk], user=AnonymousUser(), ranks=[5, 1], award="of the week"
    )
    loaded = Listing.objects.with_details().get(pk=listing.pk)
    assert [(link.slug, link.page_url) for link in of_listing.categories] == [
        ("b", "/categories/b"),
        ("a", "/categories/a"),
    ]
    assert (of_listing.votes, of_listing.rating) == (loaded.current_votes, loaded.rating)
    assert (of_listing.comment_count, of_listing.update_count, of_listing.award) == (2, 1, "#1 of the week")
    assert (of_plain.categories, of_plain.rating, of_plain.update_count, of_plain.rank) == ([], None, 0, 5)
