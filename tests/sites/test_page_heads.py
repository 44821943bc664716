"""What pages tell search engines and services that show links: addresses, texts, pictures, and what is not for them."""

import re
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from apps.launches.calendar.launch_weeks import current_week
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import CategoryFactory, ListingFactory, SiteFactory
from tests.heads import canonical_of, graph_of, meta_of, thing_of
from tests.launches.voting import WEEK
from tests.public_pages import TEXTS, make_listing, paths, play, sitemap_paths

pytestmark = pytest.mark.db

PRIVATE = [
    "/account",
    "/account/sign-in",
    "/account/sign-up",
    "/account/notifications",
    "/account/following",
    "/drafts",
    "/orders",
    "/listings/lathe/badges",
    "/listings/lathe/statistics",
]


def html_of(visitor: Client, path: str, status: int = 200) -> str:
    answer = visitor.get(path)
    assert answer.status_code == status, path
    return answer.content.decode()


@pytest.fixture
def lathe(site: Site) -> Listing:
    return make_listing(site, "lathe", TEXTS["plain"])


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_every_public_page_says_what_and_where_it_is(site: Site, text: str) -> None:
    make_listing(site, "lathe", text)
    play(site)
    visitor, pictures = Client(), set()
    for path in paths("lathe"):
        html = html_of(visitor, path)
        told, canonical = meta_of(html), canonical_of(html)
        assert canonical.startswith(f"{site.base_url}/"), path
        assert told["og:url"] == canonical
        assert "robots" not in told, path
        assert told["og:title"].strip(), path
        assert told["og:site_name"] == site.name
        assert told["og:image:alt"].strip()
        assert told["twitter:card"] == "summary_large_image"
        # Nothing of a text ends the script or begins another one.
        assert "<script>" not in html
        assert graph_of(html), path
        pictures.add(told["og:image"])
    assert len(pictures) >= 6
    for address in pictures:
        check_picture(visitor, address.removeprefix(site.base_url))


def check_picture(visitor: Client, path: str) -> None:
    answer = visitor.get(path)
    assert answer.status_code == 200, path
    with Image.open(BytesIO(answer.content), formats=("PNG",)) as picture:
        assert picture.size == (1200, 630)
    # What the page names is what is there, so that its address changes with it.
    mark = re.search(r"[?&]v=(\w+)", path)
    assert mark is None or answer["ETag"] == f'"{mark[1]}"'
    assert visitor.get(path, headers={"if-none-match": answer["ETag"]}).status_code == 304


@pytest.mark.slow
def test_the_sitemap_names_what_may_be_indexed(site: Site, lathe: Listing) -> None:
    play(site)
    CategoryFactory.create(site=site, slug="empty")
    visitor = Client()
    for path in sitemap_paths(visitor):
        html = html_of(visitor, path)
        assert "robots" not in meta_of(html), path
        assert canonical_of(html) == site.url(path)


@pytest.mark.parametrize("path", PRIVATE)
def test_what_is_one_persons_is_for_nobodys_index(lathe: Listing, path: str) -> None:
    visitor = Client()
    if "sign-" not in path:
        visitor.force_login(lathe.company.owner)
    html = html_of(visitor, path)
    assert meta_of(html)["robots"] == "noindex"
    assert not canonical_of(html)
    assert not graph_of(html)
    assert "og:title" not in meta_of(html)


@pytest.mark.parametrize(
    "path",
    [
        "/search?q=lathe",
        "/search?category=lathe-tools",
        "/boards/community-weekly?week=2001-W07",
        "/boards/community-monthly?month=2101-01",
        "/categories/lathe-tools?sort=newest",
        "/categories/empty",
    ],
)
def test_what_says_nothing_of_its_own_is_for_nobodys_index(site: Site, lathe: Listing, path: str) -> None:
    CategoryFactory.create(site=site, slug="empty")
    assert meta_of(html_of(Client(), path))["robots"] == "noindex"


def test_an_error_page_is_for_nobodys_index(site: Site) -> None:
    assert meta_of(html_of(Client(), "/listings/nothing", 404))["robots"] == "noindex"


@pytest.mark.parametrize(
    "status", [status for status in Listing.Status if status != Listing.Status.LIVE], ids=lambda status: str(status)
)
def test_a_listing_that_is_not_live_has_no_picture_and_no_data(lathe: Listing, status: str) -> None:
    Listing.objects.filter(pk=lathe.pk).update(
        status=status, suspended_from="live" if status == Listing.Status.SUSPENDED else ""
    )
    assert Client().get("/listings/lathe/preview.png").status_code == 404
    owner = Client()
    owner.force_login(lathe.company.owner)
    html = html_of(owner, "/listings/lathe")
    assert meta_of(html)["robots"] == "noindex"
    assert not graph_of(html)


def test_pictures_of_another_site_are_not_here(site: Site, lathe: Listing) -> None:
    other = SiteFactory.create(host="other.localhost")
    for path in ("/listings/lathe/preview.png", "/founders/lathe/preview.png"):
        assert Client().get(path).status_code == 200
        assert Client().get(path, headers={"host": other.host}).status_code == 404


def test_empty_leaderboards_share_one_picture(site: Site) -> None:
    """There is one for every week of two centuries: nobody can have them all drawn."""
    plain = Client().get("/preview.png")
    for path in ("/boards/community-weekly/preview.png?week=2001-W07", "/boards/community-monthly/preview.png"):
        assert Client().get(path)["ETag"] == plain["ETag"]
    assert Client().get("/boards/community-weekly/preview.png?week=nonsense").status_code == 404
    assert Client().get("/boards/nonsense/preview.png").status_code == 404


def test_a_listing_is_told_as_it_is(site: Site, lathe: Listing) -> None:
    result = thing_of(html_of(Client(), "/listings/lathe"), "SoftwareApplication")
    assert result["name"] == "Lathe & Sons"
    assert result["url"] == lathe.company.website
    [screenshot] = result["screenshot"]
    assert re.fullmatch(rf"{re.escape(site.base_url)}/pictures/[0-9a-f]{{32}}/1600\.jpg", screenshot)
    assert result["operatingSystem"] == "Web, macOS"
    assert result["isAccessibleForFree"] is False
    assert result["offers"] == [
        {"@type": "Offer", "price": "0.00", "priceCurrency": "USD"},
        {"@type": "AggregateOffer", "lowPrice": "19.50", "priceCurrency": "USD"},
    ]
    # Votes are no ratings, and who reads a rating of five stars must not have been told three votes.
    assert "aggregateRating" not in result
    assert result["interactionStatistic"]["userInteractionCount"] == 3
    assert result["publisher"]["foundingDate"] == "2021"
    assert result["publisher"]["address"]["addressCountry"] == "DE"
    assert result["publisher"]["sameAs"] == ["https://github.com/lathe"]


@pytest.mark.parametrize(
    ("model", "cents", "prices", "is_free"),
    [
        ("", None, [], None),
        ("", 900, ["9.00"], None),
        ("free", None, ["0.00"], True),
        ("free", 900, ["0.00"], True),
        ("open_source", None, ["0.00"], True),
        ("freemium", None, ["0.00"], False),
        ("freemium", 1905, ["0.00", "19.05"], False),
        ("paid", None, [], False),
        ("paid", 0, [], False),
        ("paid", 123_456, ["1234.56"], False),
    ],
)
def test_prices_are_told_as_far_as_they_are_known(
    site: Site, model: str, cents: int | None, prices: list[str], is_free: bool | None
) -> None:
    listing = ListingFactory.create(live=True, company__pricing_model=model, company__price_from_cents=cents)
    result = thing_of(html_of(Client(), listing.path), "SoftwareApplication")
    assert [offer.get("price") or offer["lowPrice"] for offer in result.get("offers", [])] == prices
    assert result.get("isAccessibleForFree") is is_free


def test_what_visitors_do_not_see_is_not_told(site: Site, lathe: Listing) -> None:
    Listing.objects.update(plan="free")
    html = html_of(Client(), "/listings/lathe")
    assert "screenshot" not in thing_of(html, "SoftwareApplication")
    assert "FAQPage" not in {thing["@type"] for thing in graph_of(html)}


def test_the_owners_words_for_search_engines_are_used(site: Site, lathe: Listing) -> None:
    Listing.objects.update(seo_title="Small tools & more", seo_description="Tools from spreadsheets.")
    html = html_of(Client(), "/listings/lathe")
    assert f"<title>Small tools &amp; more · {site.name}</title>" in html
    assert meta_of(html)["description"] == "Tools from spreadsheets."
    assert meta_of(html)["og:title"] == "Small tools & more"


def test_a_leaderboard_has_ranks(site: Site) -> None:
    play(site)
    html = html_of(Client(), f"/boards/community-weekly?week={WEEK}")
    entries = thing_of(html, "CollectionPage")["mainEntity"]["itemListElement"]
    shown = Listing.objects.filter(standing__rank__isnull=False, status="live").order_by("standing__rank")
    assert [(entry["position"], entry["url"]) for entry in entries] == [
        (listing.standing.rank, listing.page_url) for listing in shown.select_related("site", "standing")
    ]


def test_the_way_to_a_page_begins_at_the_front_page(site: Site, lathe: Listing) -> None:
    way = thing_of(html_of(Client(), "/listings/lathe"), "BreadcrumbList")["itemListElement"]
    assert [(step["position"], step["item"].removeprefix(site.base_url)) for step in way] == [
        (1, "/"),
        (2, "/categories"),
        (3, "/categories/lathe-tools"),
        (4, "/listings/lathe"),
    ]


def test_the_front_page_says_how_to_search(site: Site) -> None:
    ListingFactory.create(live=True)
    result = thing_of(html_of(Client(), "/"), "WebSite")
    assert result["potentialAction"]["target"]["urlTemplate"] == f"{site.base_url}/search?q={{search_term_string}}"


def test_a_leaderboard_of_the_running_week_has_its_first_on_the_picture(site: Site) -> None:
    path = f"/boards/community-weekly/preview.png?week={current_week()}"
    empty = Client().get(path)["ETag"]
    listing = ListingFactory.create(live=True, company__name="Papertrail")
    one = Client().get(path)["ETag"]
    assert one != empty
    listing.company.name = "Papertrails"
    listing.company.save()
    assert Client().get(path)["ETag"] not in {one, empty}
