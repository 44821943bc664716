"""Similar listings on a listing's page: what counts, in which order, and that purchases don't."""

from typing import Any

import pytest
from django.test import Client
from lxml import html

from apps.listings.models import Category, Listing
from apps.orders.fulfillment.services import fulfill_line
from apps.sites.models import Site
from tests.factories import CategoryFactory, ListingFactory, SiteFactory
from tests.orders.carts import week
from tests.orders.paid import paid_line

pytestmark = pytest.mark.db


def similar_to(listing: Listing) -> list[str]:
    """The paths of the listings in the block, in its order."""
    answer = Client().get(listing.path)
    assert answer.status_code == 200
    page: Any = html.document_fromstring(answer.content.decode())
    return [str(link) for link in page.xpath("//*[@aria-labelledby='similar']//li//strong/ancestor::a/@href")]


def paths(*listings: Listing) -> list[str]:
    return [listing.path for listing in listings]


@pytest.fixture
def category(site: Site) -> Category:
    made: Category = CategoryFactory.create(site=site)
    return made


def make(*categories: Category, **fields: Any) -> Listing:
    made: Listing = ListingFactory.create(live=True, **{"headline": "", **fields})
    made.categories.set(categories)
    return made


def test_named_alternatives_come_first_then_categories_tags_and_words(site: Site, category: Category) -> None:
    words = make(headline="Calendars, encrypted", votes=9)
    tags = make(tags=["Privacy"], votes=8)
    both = make(category, tags=["privacy"], votes=7)
    named = make(company__name="Orbitly", votes=0)
    make(headline="Nothing in common", votes=50)
    listing = make(category, tags=["privacy"], headline="Encrypted notes", alternatives=["orbitly"])
    assert similar_to(listing) == paths(named, both, tags, words)


def test_without_a_category_words_of_the_headline_do_not_count(site: Site, category: Category) -> None:
    make(headline="Dinner for tides", votes=9)
    tagged = make(tags=["tides"], headline="Harbors", votes=0)
    assert similar_to(make(headline="Dinner with tides")) == []
    assert similar_to(make(headline="Dinner", tags=["tides"]))[0] == tagged.path


def test_who_names_a_listing_is_similar_to_it(site: Site, category: Category) -> None:
    other, naming = make(category, votes=9), make(category, alternatives=["ACME"])
    assert similar_to(make(category, company__name="Acme")) == paths(naming, other)


def test_four_at_most_with_the_most_votes_first_and_each_once(site: Site) -> None:
    categories = [CategoryFactory.create(site=site) for _ in range(2)]
    others = [make(*categories, votes=votes) for votes in (1, 5, 4, 3, 2)]
    assert similar_to(make(*categories, votes=99)) == paths(*others[1:])


@pytest.mark.parametrize("status", ["draft", "scheduled", "archived", "suspended"])
def test_only_live_listings_of_the_site(site: Site, category: Category, status: str) -> None:
    hidden = make(category, tags=["privacy"], company__name="Orbitly")
    Listing.objects.filter(pk=hidden.pk).update(status=status, suspended_from="live" if status == "suspended" else "")
    make(tags=["privacy"], site=SiteFactory.create())
    assert similar_to(make(category, tags=["privacy"], alternatives=["Orbitly"])) == []


@pytest.mark.slow
def test_any_text_can_be_compared(site: Site) -> None:
    texts = ["", "c++", "'; DROP", "\\ & | ! ( )", "日本語のカレンダー", '"quoted"', "-minus --minus", "node.js/AT&T"]
    for text in texts:
        make(tags=[text[:30]], headline=text, alternatives=[text])
        assert len(similar_to(make(tags=[text[:30]], headline=text, alternatives=[text]))) <= 4


def test_purchases_change_nothing(site: Site, category: Category) -> None:
    others = [make(category, votes=votes) for votes in (3, 2, 1)]
    listing = make(category)
    before = similar_to(listing)
    last = others[-1]
    for product, options in (
        ("section_faq", {}),
        ("launch", {"week": None}),
        ("billboard", {"weeks": [week(0)], "amount_cents": 50000}),
        ("category_feature", {"weeks": [week(0)], "categories": [category.slug]}),
    ):
        fulfill_line(paid_line(product, listing=last, **options).pk)
    last.refresh_from_db()
    assert last.plan == Listing.Plan.PAID
    assert similar_to(listing) == before == paths(*others)
