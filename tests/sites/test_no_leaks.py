"""Two sites on one installation: whatever is asked of one says nothing of what is on the other."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.listings.models import Follow, Listing, Milestone, Update
from apps.sites.models import Site
from apps.stories.models import FounderStory
from tests.api import ApiClient
from tests.factories import CategoryFactory, CompanyFactory, ListingFactory, SiteFactory, UserFactory

pytestmark = pytest.mark.db

HERE, THERE = "Linnetworks", "Goshawkery"


@pytest.fixture
def other(site: Site) -> Site:
    return SiteFactory.create(key="other", host="other.localhost", name="Otherplace")


@pytest.fixture(autouse=True)
def _listings(site: Site, other: Site) -> None:
    """On each site a live listing with everything around it; the same slugs, and words that only one of them has."""
    for place, name in ((site, HERE), (other, THERE)):
        company = CompanyFactory.create(name=name)
        listing = ListingFactory.create(
            live=True,
            company=company,
            site=place,
            slug="warbler" if name == HERE else "warbler-there",
            headline=f"Songs of {name}",
            votes=3,
        )
        listing.categories.add(
            CategoryFactory.create(site=place, slug=f"birds-{name[:4].lower()}", name=f"Birds {name}")
        )
        Update.objects.create(listing=listing, title=f"{name} sings", body="A song.")
        Milestone.objects.create(listing=listing, date=date(2026, 1, 1), title=f"{name} hatched")
        FounderStory.objects.create(
            listing=listing, author=company.owner, title=f"How {name} began", published_at=timezone.now()
        )


def hosts(site: Site, other: Site) -> list[tuple[str, str, str]]:
    """A host, what it shows, and what it does not."""
    return [("127.0.0.1", HERE, THERE), (other.host, THERE, HERE), ("unknown.localhost", HERE, THERE)]


# Pages of a site, and whether they name its listing.
PAGES: list[tuple[str, bool]] = [
    ("/", True),
    ("/boards/community-weekly", True),
    ("/boards/community-monthly", True),
    ("/boards/community-yearly", True),
    ("/boards/community-all-time", True),
    ("/search?q=songs", True),
    ("/search", True),
    ("/updates", True),
    ("/updates.atom", True),
    ("/newsletter", True),
    ("/stories", True),
    ("/weeks", False),
    ("/pricing", False),
    ("/ledgers", False),
    ("/about/ranking", False),
    ("/connect", False),
    ("/llms.txt", False),
    ("/about/crawler", False),
]
# Pages that are a listing's or a category's own: there on one site, 404 on the other.
OWN_PAGES = [
    "/listings/{slug}",
    "/listings/{slug}/updates.atom",
    "/listings/{slug}/badge.svg",
    "/listings/{slug}/badges/live_now.svg",
    "/stories/{slug}",
    "/categories/{category}",
]
LISTS: list[tuple[str, dict[str, str]]] = [
    ("/listings", {}),
    ("/listings", {"q": "songs"}),
    ("/listings", {"q": "song"}),
    ("/leaderboards/community-weekly", {}),
    ("/leaderboards/community-monthly", {}),
    ("/leaderboards/community-yearly", {}),
    ("/leaderboards/community-all-time", {}),
]


@pytest.mark.parametrize(("address", "names_it"), PAGES)
def test_pages_show_their_own_site(client: Client, site: Site, other: Site, address: str, names_it: bool) -> None:
    for host, here, there in hosts(site, other):
        answer = client.get(address, headers={"host": host})
        page = answer.content.decode()
        assert answer.status_code == 200
        assert (here in page) == names_it, (host, address)
        assert there not in page, (host, address)
        assert there.lower() not in page.lower()


@pytest.mark.parametrize("address", OWN_PAGES)
def test_what_is_on_one_site_is_not_there_on_another(client: Client, site: Site, other: Site, address: str) -> None:
    ways = {
        HERE: {"slug": "warbler", "category": "birds-linn"},
        THERE: {"slug": "warbler-there", "category": "birds-gosh"},
    }
    for host, here, there in hosts(site, other):
        assert client.get(address.format(**ways[here]), headers={"host": host}).status_code == 200, host
        answer = client.get(address.format(**ways[there]), headers={"host": host})
        assert answer.status_code == 404, host
        assert there not in answer.content.decode()


@pytest.mark.parametrize(("path", "query"), LISTS)
def test_public_answers_show_their_own_site(site: Site, other: Site, path: str, query: dict[str, str]) -> None:
    for host, here, there in hosts(site, other):
        answer = ApiClient(host=host).get(path, query)
        assert [item["name"] for item in answer.json()["items"]] == [here], host
        assert there.lower() not in answer.content.decode().lower()


@pytest.mark.parametrize("filter_by", ["category", "typing error"])
def test_searching_for_what_is_elsewhere_finds_nothing(site: Site, other: Site, filter_by: str) -> None:
    for host, _, there in hosts(site, other):
        query = (
            {"category": f"birds-{there[:4].lower()}"} if filter_by == "category" else {"q": there.replace("w", "v")}
        )
        answer = ApiClient(host=host).get("/listings", query)
        if answer.status_code == 200:
            assert there not in [item["name"] for item in answer.json()["items"]]
        assert "Songs of " + there not in answer.content.decode()


def test_ledgers_are_a_sites_own(client: Client, site: Site, other: Site) -> None:
    mine = Listing.objects.get(site=site)
    for place in (site, other):
        host = "127.0.0.1" if place == site else other.host
        answer = client.get(f"/ledgers/{mine.launch_week}.jsonl", headers={"host": host})
        body = b"".join(answer) if answer.streaming else answer.content
        for listing in Listing.objects.all():
            assert (f'"slug":"{listing.slug}"'.encode() in body) == (listing.site_id == place.pk)


@pytest.mark.parametrize("command", ["vote", "follow", "archive", "free", "move", "launch"])
def test_commands_reach_only_their_own_site(client: Client, site: Site, other: Site, command: str) -> None:
    listing = Listing.objects.get(site=other)
    client.force_login(
        listing.company.owner if command in {"archive", "free", "move", "launch"} else UserFactory.create()
    )
    before = Listing.objects.filter(pk=listing.pk).values().get()
    answer = client.post(f"/listings/{listing.slug}/{command}", {}, headers={"host": "127.0.0.1"})
    assert answer.status_code in {404, 405}
    assert Listing.objects.filter(pk=listing.pk).values().get() == before
    assert not Follow.objects.exists()


# ---- owners ----
OWNER_ANSWERS: list[tuple[str, Callable[[ApiClient, int], Any]]] = [
    ("get", lambda api, pk: api.get(f"/me/listings/{pk}")),
    ("badges", lambda api, pk: api.get(f"/me/listings/{pk}/badges")),
    ("update", lambda api, pk: api.patch(f"/me/listings/{pk}", {"fields": {"headline": "Taken over"}})),
    ("post", lambda api, pk: api.post(f"/me/listings/{pk}/updates", {"title": "News", "body": "Text"})),
    ("milestone", lambda api, pk: api.post(f"/me/listings/{pk}/milestones", {"date": "2026-01-01", "title": "A"})),
    ("free", lambda api, pk: api.post(f"/me/listings/{pk}/free", {})),
]


@pytest.mark.parametrize(("name", "call"), OWNER_ANSWERS)
def test_owners_answers_say_nothing_of_others(
    site: Site, other: Site, name: str, call: Callable[[ApiClient, int], Any]
) -> None:
    mine, theirs = Listing.objects.get(site=site), Listing.objects.get(site=other)
    for host in ("127.0.0.1", other.host):
        answer = call(ApiClient(mine.company.owner, host=host), theirs.pk)
        assert answer.status_code == 404
        assert THERE not in answer.content.decode()
    theirs.refresh_from_db()
    assert theirs.headline == f"Songs of {THERE}"


def test_an_owner_has_all_sites_in_the_list_and_nobody_elses(site: Site, other: Site) -> None:
    mine = Listing.objects.get(site=site)
    second = ListingFactory.create(live=True, company=mine.company, site=other, slug="second")
    for host in ("127.0.0.1", other.host):
        items = ApiClient(mine.company.owner, host=host).get("/me/listings").json()["items"]
        assert {item["id"] for item in items} == {mine.pk, second.pk}
        assert {item["site"] for item in items} == {site.key, other.key}
        assert all(item["listing_url"].startswith(site.base_url) == (item["id"] == mine.pk) for item in items)


def test_apply_to_says_the_same_of_a_foreign_site_as_of_none(site: Site, other: Site) -> None:
    mine = Listing.objects.get(site=site)
    owner = ApiClient(mine.company.owner)
    reasons = []
    for key in (other.key, "nosuchsite"):
        answer = owner.patch(f"/me/listings/{mine.pk}", {"fields": {"headline": key}, "apply_to": [key]}).json()
        reasons.append([{**change, "site": ""} for change in answer["applied"]])
        assert THERE not in str(answer)
    assert reasons[0] == reasons[1]
    assert Listing.objects.get(site=other).headline == f"Songs of {THERE}"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "a b", "other.localhost:99999"])
def test_a_host_that_is_not_served_is_told_nothing(client: Client, site: Site, other: Site, host: str) -> None:
    for address in ("/", "/api/v1/listings", "/updates.atom"):
        answer = client.get(address, headers={"host": host})
        assert answer.status_code in {400, 200}
        page = answer.content.decode()
        if answer.status_code == 400:
            assert HERE not in page
            assert THERE not in page
        else:
            assert (THERE in page) == host.startswith(other.host)


def test_no_site_at_all(client: Client, site: Site, other: Site) -> None:
    """Without a default site a host that nobody has is a plain 404, or the page says that there is none."""
    Site.objects.filter(pk=site.pk).update(is_default=False)
    client.raise_request_exception = False
    answer = client.get("/api/v1/listings", headers={"host": "unknown.localhost"})
    assert answer.status_code >= 400
    assert HERE not in answer.content.decode()
    assert THERE not in answer.content.decode()
