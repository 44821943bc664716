"""The public pages, and voting in the browser."""

import pytest
from django.test import Client
from django.urls import reverse

from apps.launches.models import Vote
from apps.launches.votes import voting
from apps.listings.models import Update
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory, UserFactory

pytestmark = pytest.mark.db


@pytest.mark.parametrize(
    "path", ["/", "/weeks", "/search", "/search?q=x&page=99", "/updates", "/stories", "/boards/community-monthly"]
)
def test_public_pages_answer(client: Client, site: Site, path: str) -> None:
    Update.objects.create(listing=ListingFactory.create(live=True), title="News", body="Text")
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/boards/nonsense", "/boards/community-weekly?week=x", "/categories/no", "/listings/no"]
)
def test_what_is_not_there(client: Client, site: Site, path: str) -> None:
    assert client.get(path).status_code == 404


ODD = ["9" * 20, "٣٣٣٣", "-1", "x", "", "1e9", "\x00"]
ODD_TIMES = ["9999-W52", "0001-W01", "2026-W54", "9999-12", "0001-01", "2026-13", "9999", "1"]
TIMES = ("week", "month", "year")
NAMES = ("q", "page", "per_page", "category", "next", "url")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "names"), [(value, TIMES + NAMES) for value in ODD] + [(value, TIMES) for value in ODD_TIMES]
)
def test_no_odd_value_in_a_query_breaks_a_page_or_the_api(
    client: Client, anonymous: ApiClient, site: Site, value: str, names: tuple[str, ...]
) -> None:
    boards = [f"/boards/community-{board}" for board in ("weekly", "monthly", "yearly", "all-time")]
    for name in names:
        for path in ["/", "/search", "/weeks", "/updates", "/stories", "/account/sign-in", *boards]:
            assert client.get(path, {name: value}).status_code < 500, (path, name)
        for path in ("/listings", "/products", *(f"/leaderboards/{board[8:]}" for board in boards)):
            assert anonymous.get(path, {name: value}).status_code < 500, (path, name)


def test_a_vote_for_what_was_suspended_meanwhile_is_told(
    client: Client, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**kwargs: object) -> None:
        raise voting.NotVotable("This listing is not live.")

    listing = ListingFactory.create(live=True)
    client.force_login(UserFactory.create())
    monkeypatch.setattr(voting, "toggle_vote", refuse)
    assert client.post(reverse("vote", args=[listing.slug]))["Location"] == "/"


def test_the_owners_list_is_paged(client: Client, site: Site) -> None:
    owner = UserFactory.create()
    client.force_login(owner)
    ListingFactory.create_batch(21, company__owner=owner, status="awaiting_badge")
    page = client.get("/account").content.decode()
    assert page.count("<article") == 20
    assert "?page=2" in page


def test_texts_of_owners_are_escaped(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True, headline="<script>alert(1)</script>", summary="<b>bold</b>")
    page = client.get(listing.path).content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;b&gt;bold&lt;/b&gt;" in page


@pytest.mark.parametrize(("status", "seen_by_owner"), [("draft", 200), ("in_review", 200), ("suspended", 200)])
def test_before_the_launch_only_its_owner_sees_the_page(
    client: Client, site: Site, status: str, seen_by_owner: int
) -> None:
    listing = ListingFactory.create(status=status)
    assert client.get(listing.path).status_code == 404
    client.force_login(UserFactory.create())
    assert client.get(listing.path).status_code == 404
    client.force_login(listing.company.owner)
    assert client.get(listing.path).status_code == seen_by_owner


def test_sites_do_not_leak_into_each_other(client: Client, site: Site) -> None:
    other = SiteFactory.create(host="other.localhost")
    listing = ListingFactory.create(live=True, site=other, company__name="Elsewhere")
    assert "Elsewhere" not in client.get("/").content.decode()
    assert client.get(listing.path).status_code == 404
    assert "Elsewhere" in client.get("/", headers={"Host": "other.localhost"}).content.decode()


def test_a_vote_counts_once_and_can_be_taken_back(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True)
    client.force_login(UserFactory.create())
    for expected in (1, 0, 1):
        answer = client.post(reverse("vote", args=[listing.slug]), {"next": "/weeks"})
        assert (answer.status_code, answer["Location"]) == (302, "/weeks")
        listing.standing.refresh_from_db()
        assert listing.current_votes == Vote.objects.filter(listing=listing).count() == expected


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\evil", ""])
def test_a_vote_never_leads_elsewhere(client: Client, site: Site, target: str) -> None:
    listing = ListingFactory.create(live=True)
    client.force_login(UserFactory.create())
    assert client.post(reverse("vote", args=[listing.slug]), {"next": target})["Location"] == listing.path


def test_nobody_votes_unseen_or_for_what_is_not_live(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True)
    assert client.post(reverse("vote", args=[listing.slug]))["Location"].startswith("/account/sign-up")
    client.force_login(UserFactory.create())
    hidden = ListingFactory.create()
    assert client.post(reverse("vote", args=[hidden.slug])).status_code == 404
    assert not Vote.objects.exists()
    assert Client(enforce_csrf_checks=True).post(reverse("vote", args=[listing.slug])).status_code == 403


def test_htmx_gets_the_button(client: Client, site: Site) -> None:
    listing = ListingFactory.create(live=True)
    client.force_login(UserFactory.create())
    answer = client.post(reverse("vote", args=[listing.slug]), headers={"HX-Request": "true"})
    assert 'aria-pressed="true"' in answer.content.decode()


def test_the_policy_is_strict_except_under_the_admin(client: Client, site: Site) -> None:
    policy = client.get("/")["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "unsafe-inline" in client.get("/admin/login/")["Content-Security-Policy"]
