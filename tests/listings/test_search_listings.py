import pytest

from apps.core.weeks import Week
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, SiteFactory


def names(response: object) -> list[str]:
    return [item["name"] for item in response.json()["items"]]  # type: ignore[attr-defined]


def test_only_live_listings_of_this_site_are_found(anonymous: ApiClient, site: Site) -> None:
    ListingFactory.create(live=True, company__name="Inkwell")
    ListingFactory.create(company__name="Inkwell draft")
    ListingFactory.create(live=True, company__name="Inkwell elsewhere", site=SiteFactory.create())
    assert names(anonymous.get("/listings", {"q": "inkwell"})) == ["Inkwell"]


@pytest.mark.parametrize(
    "words", ["café", "cafe", "CAFÉ NOISE", "caf", "noise map", "noyse maps kafe"], ids=lambda words: words
)
def test_words_are_found_without_accents_by_beginning_and_with_typing_errors(
    anonymous: ApiClient, site: Site, words: str
) -> None:
    ListingFactory.create(live=True, company__name="Café Noise Maps", headline="Where it is quiet")
    ListingFactory.create(live=True, company__name="Ledgerline", headline="Bookkeeping")
    assert names(anonymous.get("/listings", {"q": words})) == ["Café Noise Maps"]


def test_name_weighs_more_than_summary(anonymous: ApiClient, site: Site) -> None:
    ListingFactory.create(live=True, company__name="Ledgerline", summary="A harbor for your books.", votes=900)
    ListingFactory.create(live=True, company__name="Harbor", summary="Status pages.", votes=1)
    assert names(anonymous.get("/listings", {"q": "harbor"})) == ["Harbor", "Ledgerline"]


def test_filters_by_category_and_week_and_orders_by_votes(anonymous: ApiClient, site: Site) -> None:
    category = CategoryFactory.create(site=site, slug="maps-and-more")
    week = str(Week.parse("2026-W10"))
    for votes in (3, 9):
        listing = ListingFactory.create(live=True, votes=votes, launch_week=week, company__name=f"With {votes}")
        listing.categories.add(category)
    ListingFactory.create(live=True, launch_week=week, company__name="Other category")
    answer = anonymous.get("/listings", {"category": "maps-and-more", "week": week})
    assert names(answer) == ["With 9", "With 3"]


def test_pages_are_stable_and_say_where_they_are(anonymous: ApiClient, site: Site) -> None:
    for _ in range(5):
        ListingFactory.create(live=True)
    first = anonymous.get("/listings", {"per_page": "2"}).json()
    second = anonymous.get("/listings", {"per_page": "2", "page": "2"}).json()
    assert (first["total"], first["previous"], second["page"]) == (5, None, 2)
    assert "page=2" in first["next"]
    assert not {item["id"] for item in first["items"]} & {item["id"] for item in second["items"]}


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ({"per_page": "101"}, "/per_page"),
        ({"per_page": "0"}, "/per_page"),
        ({"page": "١"}, "/page"),
        ({"page": "1.0"}, "/page"),
        ({"week": "46"}, "/week"),
        ({"week": "2026-W54"}, "/week"),
        ({"pages": "1"}, "/pages"),
    ],
)
def test_nonsense_in_the_query_is_refused_by_name(
    anonymous: ApiClient, site: Site, query: dict[str, str], pointer: str
) -> None:
    answer = anonymous.get("/listings", query)
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


@pytest.mark.parametrize("words", ["'", "a & b", "!", ":*", "\\", "'; DROP TABLE x --", "🙂", "a" * 200])
def test_no_query_text_breaks_the_search(anonymous: ApiClient, site: Site, words: str) -> None:
    ListingFactory.create(live=True)
    assert anonymous.get("/listings", {"q": words}).status_code == 200


def test_the_number_of_queries_does_not_grow(
    anonymous: ApiClient, site: Site, django_assert_num_queries: object
) -> None:
    for _ in range(12):
        ListingFactory.create(live=True, company=CompanyFactory.create())
    assert Listing.objects.count() == 12
    with django_assert_num_queries(4):  # type: ignore[operator]
        anonymous.get("/listings", {"per_page": "10"})
