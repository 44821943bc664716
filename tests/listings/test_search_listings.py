from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.core.text.weeks import Week
from apps.listings import search
from apps.listings.models import Listing
from apps.listings.search import queries
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import CategoryFactory, ListingFactory, SiteFactory
from tests.process_caches import forget_everything

pytestmark = pytest.mark.db


def names(response: Any) -> list[str]:
    return [item["name"] for item in response.json()["items"]]


def test_only_live_listings_of_this_site_are_found(anonymous: ApiClient, site: Site) -> None:
    ListingFactory.create(live=True, company__name="Inkwell")
    ListingFactory.create(company__name="Inkwell draft")
    ListingFactory.create(live=True, company__name="Inkwell elsewhere", site=SiteFactory.create())
    assert names(anonymous.get("/listings", {"q": "inkwell"})) == ["Inkwell"]


@pytest.mark.parametrize(
    "words",
    ["café", "cafe", "CAFÉ NOISE", "caf", "noise map", '"noise maps"', "noisemaps", "noise -boats"],
    ids=lambda words: words,
)
def test_words_are_found_as_people_write_them(anonymous: ApiClient, site: Site, words: str) -> None:
    ListingFactory.create(live=True, company__name="Café Noise Maps", headline="Where it is quiet")
    ListingFactory.create(live=True, company__name="Ledgerline", headline="Noise in the books: boats")
    answer = anonymous.get("/listings", {"q": words})
    assert names(answer) == ["Café Noise Maps"]
    assert answer.json()["corrected"] is None


@pytest.mark.parametrize(
    ("words", "corrected"),
    [
        ("noyse maps kafe", "noise maps cafe"),
        ("niose", "noise"),
        ("noisemapz", "noisemaps"),
        ("nise", "noise"),
        ("CAFEÉ  Maps", "cafe Maps"),
        ("ledgrlien", "ledgerline"),
        ('"noise mapz"', '"noise maps"'),
        ("ledgerlyne -boats", "ledgerline -boats"),
        ("nod.js", "nodejs"),
    ],
    ids=lambda words: words,
)
def test_typing_errors_are_corrected_and_told(anonymous: ApiClient, site: Site, words: str, corrected: str) -> None:
    ListingFactory.create(live=True, company__name="Café Noise Maps", headline="Where it is quiet")
    ListingFactory.create(live=True, company__name="Ledgerline", headline="Bookkeeping with Node.js")
    answer = anonymous.get("/listings", {"q": words}).json()
    assert answer["corrected"] == corrected
    assert len(answer["items"]) == answer["total"] == 1


@pytest.mark.parametrize("words", ["xylophone", "noise xylophone", "noi", "ios", "検策", "bookkeeping cafe", "42"])
def test_what_is_like_nothing_finds_nothing(anonymous: ApiClient, site: Site, words: str) -> None:
    ListingFactory.create(live=True, company__name="Cafe", headline="Where it is quiet 検索")
    ListingFactory.create(live=True, company__name="Ledgerline", headline="Bookkeeping")
    answer = anonymous.get("/listings", {"q": words}).json()
    assert (answer["items"], answer["total"], answer["corrected"]) == ([], 0, None)


def test_of_two_near_words_the_more_frequent_one_is_meant(anonymous: ApiClient, site: Site) -> None:
    ListingFactory.create(live=True, headline="A mall")
    for _ in range(2):
        ListingFactory.create(live=True, headline="A mail")
    assert anonymous.get("/listings", {"q": "maul"}).json()["corrected"] == "mail"


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != Listing.Status.LIVE])
def test_words_of_listings_that_are_not_live_correct_nothing(
    anonymous: ApiClient, site: Site, status: Listing.Status
) -> None:
    hidden = ListingFactory.create(live=True, company__name="Zephyrine")
    hidden.status = status
    hidden.suspended_from = "live" if status == Listing.Status.SUSPENDED else ""
    hidden.save()
    answer = anonymous.get("/listings", {"q": "zephirine"}).json()
    assert (answer["items"], answer["corrected"]) == ([], None)


def test_words_of_another_site_correct_nothing(anonymous: ApiClient, site: Site) -> None:
    ListingFactory.create(live=True, company__name="Zephyrine", site=SiteFactory.create())
    ListingFactory.create(live=True, company__name="Other")
    answer = anonymous.get("/listings", {"q": "zephirine"}).json()
    assert (answer["items"], answer["corrected"]) == ([], None)


def test_a_word_that_is_there_is_not_corrected_for_a_filter(anonymous: ApiClient, site: Site) -> None:
    """A visitor who looks for email in another category wants to hear that there is none, not about malls."""
    CategoryFactory.create(site=site, slug="empty-one")
    ListingFactory.create(live=True, headline="A mall")
    ListingFactory.create(live=True, headline="A mail")
    answer = anonymous.get("/listings", {"q": "mail", "category": "empty-one"}).json()
    assert (answer["items"], answer["corrected"]) == ([], None)


def test_name_weighs_more_than_headline_than_summary_than_description(anonymous: ApiClient, site: Site) -> None:
    category = CategoryFactory.create(site=site, name="Harbor")
    ListingFactory.create(live=True, company__name="Five", description="A harbor.", votes=900)
    sorted_in = ListingFactory.create(live=True, company__name="Four", votes=40)
    sorted_in.categories.add(category)
    search.index(listing_ids=[sorted_in.pk])
    ListingFactory.create(live=True, company__name="Three", summary="A harbor.", votes=50)
    ListingFactory.create(live=True, company__name="Two", headline="A harbor", votes=5)
    ListingFactory.create(live=True, company__name="Tags", tags=["harbor"], votes=4)
    ListingFactory.create(live=True, company__name="Harbor", votes=1)
    result = names(anonymous.get("/listings", {"q": "harbor"}))
    assert result == ["Harbor", "Two", "Tags", "Three", "Four", "Five"]


def test_the_listing_of_that_name_comes_before_all_that_mention_it(
    anonymous: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "RANKED", 3)
    ListingFactory.create(live=True, company__name="Notes", votes=0)
    ListingFactory.create(live=True, company__name="Notes for Notes", headline="Notes", votes=1)
    for votes in range(10, 16):
        ListingFactory.create(live=True, headline="Better notes", description="Notes, notes, notes.", votes=votes)
    result = anonymous.get("/listings", {"q": "notes"})
    assert names(result)[:2] == ["Notes", "Notes for Notes"]
    assert result.json()["total"] == 8


def test_filters_by_category_and_week_and_orders_by_votes(anonymous: ApiClient, site: Site) -> None:
    category = CategoryFactory.create(site=site, slug="maps-and-more")
    week = str(Week.parse("2026-W10"))
    for votes in (3, 9):
        listing = ListingFactory.create(live=True, votes=votes, launch_week=week, company__name=f"With {votes}")
        listing.categories.add(category)
    ListingFactory.create(live=True, launch_week=week, company__name="Other category")
    ListingFactory.create(live=True, company__name="Other week").categories.add(category)
    answer = anonymous.get("/listings", {"category": "maps-and-more", "week": week})
    assert names(answer) == ["With 9", "With 3"]
    assert names(anonymous.get("/listings", {"q": "with", "category": "maps-and-more", "week": week})) == [
        "With 9",
        "With 3",
    ]
    assert names(anonymous.get("/listings", {"week": "2026-W11"})) == []


def test_a_category_that_is_not_there_is_a_mistake(anonymous: ApiClient, site: Site) -> None:
    CategoryFactory.create(site=site, slug="maps-and-more")
    CategoryFactory.create(site=SiteFactory.create(), slug="of-another-site")
    answer = anonymous.get("/listings", {"category": "maps-and-mor"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/category"
    assert "Did you mean maps-and-more?" in answer.json()["errors"][0]["detail"]
    other = anonymous.get("/listings", {"category": "of-another-site"})
    assert other.status_code == 422


@pytest.mark.parametrize("query", [{}, {"q": "same"}, {"q": "-different"}], ids=str)
@pytest.mark.parametrize("per_page", [1, 2, 3, 7])
def test_pages_have_neither_gaps_nor_doubles(
    anonymous: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch, query: dict[str, str], per_page: int
) -> None:
    """Also where the ranked listings end and those in the order of votes go on."""
    monkeypatch.setattr(queries, "RANKED", 4)
    monkeypatch.setattr(queries, "RANKED_NAMES", 2)
    monkeypatch.setattr(queries, "COUNTED", 9)
    wanted = {
        ListingFactory.create(
            live=True, company__name=f"{'Same' if number > 8 else 'Other'} name", headline="Same", votes=number % 3
        ).pk
        for number in range(11)
    }
    seen: list[int] = []
    page = 1
    while True:
        answer = anonymous.get("/listings", {**query, "page": page, "per_page": per_page}).json()
        seen += [item["id"] for item in answer["items"]]
        assert answer["total"] == 9
        assert (answer["previous"] is None) == (page == 1)
        if answer["next"] is None:
            break
        page += 1
        assert f"page={page}" in answer["next"]
    assert len(seen) == len(wanted)
    assert set(seen) == wanted


@pytest.mark.parametrize("top", [0, 4, 8, 99])
@pytest.mark.parametrize("walked", [1, 8, 99])
def test_only_the_matches_with_the_most_votes_are_ranked(
    anonymous: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch, top: int, walked: int
) -> None:
    """However they are found: by walking down, among the top of the site, or among all."""
    for name, value in {"RANKED": 3, "COUNTED": 4, "WALKED": walked, "TOP": top}.items():
        monkeypatch.setattr(queries, name, value)
    made = [
        ListingFactory.create(
            live=True,
            headline="Maps" if number in {8, 10} else "Boats",
            description="Boats" if number % 2 else "Maps",
            votes=12 - number,
        )
        for number in range(12)
    ]
    items = anonymous.get("/listings", {"q": "maps", "per_page": 2}).json()["items"]
    assert [item["id"] for item in items] == [made[0].pk, made[2].pk]


def test_a_site_with_many_listings_is_not_counted_every_time(
    anonymous: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "COUNTED", 2)
    monkeypatch.setattr(queries, "MANY", 4)
    many = [ListingFactory.create(live=True) for _ in range(4)]
    for _ in range(2):
        with CaptureQueriesContext(connection) as statements:
            assert anonymous.get("/listings").json()["total"] == 2
    assert not any("count(*)" in statement["sql"] for statement in statements)
    category = CategoryFactory.create(site=site)
    many[0].categories.add(category)
    assert anonymous.get("/listings", {"category": category.slug}).json()["total"] == 1

    Listing.objects.exclude(pk=many[0].pk).update(status=Listing.Status.ARCHIVED)
    forget_everything()
    assert anonymous.get("/listings").json()["total"] == 1


def test_a_statement_is_planned_once_on_a_connection(anonymous: ApiClient, site: Site) -> None:
    ListingFactory.create(live=True)
    for _ in range(8):
        assert len(anonymous.get("/listings", {"per_page": "7"}).json()["items"]) == 1
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        kept = [statement for (statement,) in cursor.fetchall()]
    assert any("OFFSET 0 LIMIT 8)" in statement for statement in kept)


def test_a_page_past_the_end_is_empty(anonymous: ApiClient, site: Site) -> None:
    ListingFactory.create(live=True, headline="Same")
    for query in ({}, {"q": "same"}):
        answer = anonymous.get("/listings", {**query, "page": "1000000", "per_page": "100"}).json()
        assert (answer["items"], answer["total"], answer["next"]) == ([], 1, None)


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
        ({"q": "a" * 201}, "/q"),
        ({"q": "boats\x00"}, "/q"),
        ({"category": "no slug"}, "/category"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_nonsense_in_the_query_is_refused_by_name(
    anonymous: ApiClient, site: Site, query: dict[str, str], pointer: str
) -> None:
    answer = anonymous.get("/listings", query)
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


SYMBOLS = [
    "🍞",
    "%",
    '"',
    "!!!",
    '""',
    "-",
    "--",
    "-!",
    "_",
    "\\",
    "…",
    "。",
    "+ - *",
    "👩‍🚀 🍞",
    "“ ”",
    '"🍞"',
    "🍞 -sails",
    "❤️",
    "❤️ ☀︎ *⃣",
]


@pytest.mark.parametrize("words", SYMBOLS)
def test_symbols_alone_find_nothing(anonymous: ApiClient, site: Site, words: str) -> None:
    ListingFactory.create(live=True, headline="Boats and bread")
    answer = anonymous.get("/listings", {"q": words}).json()
    assert (answer["items"], answer["total"], answer["next"], answer["corrected"]) == ([], 0, None, None)


@pytest.mark.parametrize("words", ["", " ", "\u3000", "\u200b", "bread 🍞", "🍞 bread", "bread -", "% boats", "-sails"])
def test_symbols_beside_words_do_not_count(anonymous: ApiClient, site: Site, words: str) -> None:
    ListingFactory.create(live=True, headline="Boats and bread")
    assert anonymous.get("/listings", {"q": words}).json()["total"] == 1


@pytest.mark.parametrize("words", ["bread", "bread ❤️", "❤️ bread", "☀️bread", "love", "1", "葛", "葛\U000e0100"])
def test_marks_that_choose_a_look_do_not_count(anonymous: ApiClient, site: Site, words: str) -> None:
    ListingFactory.create(live=True, headline="☀️love bread 1️⃣", description="葛\U000e0100 and so on")
    answer = anonymous.get("/listings", {"q": words}).json()
    assert (answer["total"], answer["corrected"]) == (1, None)


@pytest.mark.parametrize("words", ["\u3164bread", "boats\u115fbread", "bread\uffa0", "\u1160 boats", "កា\u17b4", "កា"])
def test_letters_that_are_blank_do_not_count(anonymous: ApiClient, site: Site, words: str) -> None:
    ListingFactory.create(live=True, headline="Boats\u3164and bread", description="ក\u17b5ា")
    answer = anonymous.get("/listings", {"q": words}).json()
    assert (answer["total"], answer["corrected"]) == (1, None)


@pytest.mark.parametrize("words", ["'", "a & b", "!", ":*", "'; DROP TABLE x --", "a" * 200, "a <-> b", "(a"])
def test_no_query_text_breaks_the_search(anonymous: ApiClient, site: Site, words: str) -> None:
    ListingFactory.create(live=True)
    assert anonymous.get("/listings", {"q": words}).status_code == 200
