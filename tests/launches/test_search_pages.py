"""Search and categories in the browser, as a page without JavaScript shows them."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from lxml import html

from apps.launches.calendar import launch_weeks
from apps.listings.search import queries
from apps.sites.models import Site
from tests.factories import CategoryFactory, ListingFactory, SiteFactory

pytestmark = pytest.mark.db


def page_of(client: Client, path: str, query: dict[str, Any] | None = None) -> Any:
    answer = client.get(path, query or {})
    assert answer.status_code == 200
    return html.fromstring(answer.content)


def names(page: Any) -> list[str]:
    return [name.text_content() for name in page.xpath("//*[@id='results']//li//h2")]


def status(page: Any) -> str:
    return " ".join(page.get_element_by_id("search-status").text_content().split())


def test_words_are_found_and_counted(client: Client, site: Site) -> None:
    ListingFactory.create(live=True, company__name="Inkwell")
    ListingFactory.create(live=True, company__name="Ledgerline")
    page = page_of(client, "/search", {"q": " inkwell "})
    assert names(page) == ["Inkwell"]
    assert status(page) == "1 listing for “inkwell”"
    assert page.get_element_by_id("search-query").get("value") == "inkwell"


def test_all_listings_are_found_in_the_search(client: Client, site: Site) -> None:
    answer = client.get("/listings")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/search")


def test_a_typing_error_is_told_with_what_was_searched_for(client: Client, site: Site) -> None:
    ListingFactory.create(live=True, company__name="Inkwell")
    page = page_of(client, "/search", {"q": "inkwel <b>"})
    assert names(page) == []
    page = page_of(client, "/search", {"q": "inkwlel"})
    assert names(page) == ["Inkwell"]
    told = page.xpath("//*[@id='results']/div[@class='notice']//bdi")
    assert [words.text for words in told] == ["inkwell", "inkwlel"]
    # What was typed stays in the field.
    assert page.get_element_by_id("search-query").get("value") == "inkwlel"


def test_the_form_filters_by_category_and_week(client: Client, site: Site) -> None:
    category = CategoryFactory.create(site=site, slug="boats", name="Boats")
    CategoryFactory.create(site=SiteFactory.create(), slug="elsewhere", name="Elsewhere")
    week = str(launch_weeks.current_week())
    ListingFactory.create(live=True, company__name="Raft").categories.add(category)
    ListingFactory.create(live=True, company__name="Past", launch_week="2025-W10").categories.add(category)
    ListingFactory.create(live=True, company__name="Other")
    page = page_of(client, "/search", {"category": "boats", "week": week})
    assert names(page) == ["Raft"]
    form = page.xpath("//main//form")[0]
    assert (form.method, dict(form.fields)) == ("GET", {"q": "", "category": "boats", "week": week, "sort": "best"})
    assert "elsewhere" not in html.tostring(form).decode()
    past = page_of(client, "/search", {"week": "2025-W10"})
    assert names(past) == ["Past"]
    assert dict(past.xpath("//main//form")[0].fields)["week"] == "2025-W10"


def test_a_category_has_a_page_whose_form_stays_in_it(client: Client, site: Site) -> None:
    category = CategoryFactory.create(site=site, slug="boats", name="Boats")
    ListingFactory.create(live=True, company__name="Raft").categories.add(category)
    ListingFactory.create(live=True, company__name="Other")
    page = page_of(client, "/categories/boats")
    assert names(page) == ["Raft"]
    assert page.xpath("//h1")[0].text_content() == "Boats"
    form = page.xpath("//main//form")[0]
    assert (form.action, form.fields["category"]) == ("/search", "boats")


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/categories/nothing", {}),
        ("/search", {"category": "nothing"}),
        ("/search", {"category": "elsewhere"}),
        ("/search", {"week": "2026-W54"}),
        ("/search", {"week": "last"}),
        ("/search", {"sort": "oldest"}),
    ],
    ids=str,
)
def test_what_is_not_there(client: Client, site: Site, path: str, query: dict[str, str]) -> None:
    CategoryFactory.create(site=SiteFactory.create(), slug="elsewhere")
    assert client.get(path, query).status_code == 404


def test_nothing_found_says_what_helps(client: Client, site: Site) -> None:
    CategoryFactory.create(site=site, slug="boats", name="Boats")
    ListingFactory.create(live=True, company__name="Other")
    page = page_of(client, "/search", {"q": "other", "category": "boats"})
    assert status(page) == "No results for “other” in Boats"
    assert "No results" in page.get_element_by_id("results").text_content()
    wider = page.xpath("//*[@id='results']//a[starts-with(@href, '/search')]")[0].get("href")
    assert names(page_of(client, wider)) == ["Other"]


def test_many_are_told_as_many(client: Client, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "COUNTED", 2)
    monkeypatch.setattr("apps.listings.search.COUNTED", 2)
    monkeypatch.setattr("apps.directory.views.search.PER_PAGE", 2)
    for number in range(5):
        ListingFactory.create(live=True, headline="Same", votes=number)
    page = page_of(client, "/search", {"q": "same"})
    assert status(page) == "2+ listings for “same”"
    seen = list(names(page))
    while following := page.xpath("//nav[@aria-label='Pages']/a[@rel='next']"):
        page = page_of(client, following[0].get("href"))
        seen += names(page)
    assert len(seen) == len(set(seen)) == 5


@pytest.mark.parametrize("number", ["99", "1000000", "0", "-1", "x", "٣"])
def test_a_number_past_the_end_leads_to_a_page_there_is(client: Client, site: Site, number: str) -> None:
    ListingFactory.create(live=True, company__name="Raft")
    assert names(page_of(client, "/search", {"q": "raft", "page": number})) == ["Raft"]


@pytest.mark.parametrize("query", ["", "raft"])
def test_results_are_sorted_by_votes_or_launch(client: Client, site: Site, query: str) -> None:
    now = timezone.now()
    for name, votes, days in (("Raft one", 5, 1), ("Raft two", 9, 3), ("Raft three", 1, 2)):
        launched_at = now - timedelta(days=days)
        ListingFactory.create(live=True, company__name=name, votes=votes, launched_at=launched_at)
    ListingFactory.create(live=True, company__name="Boat", headline="Not a raft", votes=7, launched_at=now)
    by_votes = page_of(client, "/search", {"q": query, "sort": "votes"})
    assert names(by_votes) == ["Raft two", "Boat", "Raft one", "Raft three"]
    assert dict(by_votes.xpath("//main//form")[0].fields)["sort"] == "votes"
    assert names(page_of(client, "/search", {"q": query, "sort": "newest"})) == [
        "Boat",
        "Raft one",
        "Raft three",
        "Raft two",
    ]


def test_suggestions_name_listings_and_categories_of_the_site(client: Client, site: Site) -> None:
    category = CategoryFactory.create(site=site, slug="boats", name="Boats")
    CategoryFactory.create(site=SiteFactory.create(), slug="elsewhere", name="Boats elsewhere")
    listing = ListingFactory.create(live=True, company__name="Boatyard & Sons")
    ListingFactory.create(company__name="Boat draft")
    ListingFactory.create(live=True, company__name="Ledgerline")
    page = page_of(client, "/search/suggestions", {"q": "boat"})
    assert page.xpath("//a/@href") == [listing.path, f"/categories/{category.slug}", "/search?q=boat"]
    assert "1 suggestion" in page.xpath("//*[@role='status']")[0].text_content()


@pytest.mark.parametrize(("query", "name"), [("or", "Team Orbitly"), ("TE", "Team Orbitly"), ("xy", "Chalkline")])
def test_two_letters_suggest_names_that_begin_like_them(client: Client, site: Site, query: str, name: str) -> None:
    ListingFactory.create(live=True, company__name="Team Orbitly")
    ListingFactory.create(live=True, company__name="Chalkline", headline="Xy or te for a whole class")
    page = page_of(client, "/search/suggestions", {"q": query})
    assert [shown.text_content() for shown in page.xpath("//strong")] == [name]


@pytest.mark.parametrize("query", ["", "  ", "\x00"])
def test_no_words_have_no_suggestions(client: Client, site: Site, query: str) -> None:
    ListingFactory.create(live=True)
    answer = client.get("/search/suggestions", {"q": query})
    assert (answer.status_code, answer.content.strip()) == (200, b"")


def test_a_search_page_has_one_search_field(client: Client, site: Site) -> None:
    assert len(page_of(client, "/search").xpath("//input[@type='search']")) == 1
