"""Following in the browser."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from lxml import html

from apps.accounts.models import User
from apps.listings.models import Follow, Listing
from apps.listings.services import followers
from apps.sites.models import Site
from tests.accounts.people import next_of
from tests.actors import in_browser
from tests.browsing import browser
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.racing import count_outcomes

pytestmark = pytest.mark.db


@pytest.fixture
def listing(site: Site) -> Listing:
    return ListingFactory.create(live=True, company__name="Acme & Sons")


@pytest.fixture
def user(db: None) -> User:
    return UserFactory.create()


@pytest.fixture
def person(user: User) -> Client:
    client = browser()
    client.force_login(user)
    return client


def press(client: Client, listing: Listing, **more: Any) -> Any:
    return client.post(f"{listing.path}/follow", more.pop("data", {}), **more)


def test_the_button_follows_and_leaves_without_javascript(person: Client, user: User, listing: Listing) -> None:
    page = person.get(listing.path).content.decode()
    assert "Follow updates" in page
    assert 'name="unfollow"' not in page
    answer = press(person, listing, data={"next": "/updates"})
    assert (answer.status_code, answer["Location"]) == (302, "/updates")
    assert followers.is_following(listing, user)
    page = person.get(listing.path).content.decode()
    assert 'name="unfollow"' in page
    assert press(person, listing, data={"unfollow": "1"})["Location"] == listing.path
    assert not Follow.objects.exists()


def test_htmx_gets_the_new_button(person: Client, listing: Listing) -> None:
    answer = press(person, listing, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert 'aria-pressed="true"' in answer.content.decode()
    assert "csrfmiddlewaretoken" in answer.content.decode()
    assert "<html" not in answer.content.decode()
    answer = press(person, listing, data={"unfollow": "1"}, headers={"HX-Request": "true"})
    assert 'aria-pressed="false"' in answer.content.decode()


def test_pressing_twice_does_it_once(person: Client, listing: Listing) -> None:
    for _ in range(2):
        press(person, listing)
    assert Follow.objects.count() == 1
    for _ in range(2):
        press(person, listing, data={"unfollow": "1"})
    assert Follow.objects.count() == 0


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_it_leads_to_no_other_site(target: str, person: Client, listing: Listing) -> None:
    assert press(person, listing, data={"next": target})["Location"] == listing.path


def test_anyone_who_is_not_signed_in_is_led_there_and_back(site: Site, listing: Listing) -> None:
    tree: Any = html.fromstring(browser().get(listing.path).content)
    [link] = tree.xpath("//a[contains(., 'Follow updates')]/@href")
    assert next_of(link) == listing.path
    answer = press(browser(), listing)
    assert answer["Location"] == f"/account/sign-in?next={listing.path}"
    assert browser().get(f"{listing.path}/follow")["Location"] == listing.path
    assert not Follow.objects.exists()


def test_a_forged_form_changes_nothing(user: User, listing: Listing) -> None:
    client = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
    client.force_login(user)
    assert press(client, listing).status_code == 403
    assert not Follow.objects.exists()


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != "live"])
def test_only_live_listings_are_followed(status: str, user: User, site: Site) -> None:
    listing = ListingFactory.create(
        company__owner=user, status=status, launch_week="2026-W46", launched_at=timezone.now()
    )
    client = browser()
    client.force_login(user)
    assert press(client, listing).status_code == 404
    with pytest.raises(followers.NotFollowable):
        followers.follow(listing=listing, by=in_browser(user))
    assert not Follow.objects.exists()
    assert "Follow updates" not in client.get(listing.path).content.decode()


def test_a_listing_of_another_site_is_not_there(person: Client, site: Site) -> None:
    elsewhere = ListingFactory.create(live=True, site=SiteFactory.create())
    assert press(person, elsewhere).status_code == 404
    assert not Follow.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_at_once_make_one_row() -> None:
    listing, user = ListingFactory.create(live=True), UserFactory.create()
    assert count_outcomes(*[lambda: followers.follow(listing=listing, by=in_browser(user))] * 4) == {"done": 4}
    assert Follow.objects.count() == 1


# ---- the page ----


def test_the_page_shows_what_the_account_follows(person: Client, user: User, listing: Listing) -> None:
    assert "follow anything" in person.get("/account/following").content.decode()
    gone = ListingFactory.create(live=True, company__name="Gone")
    elsewhere = ListingFactory.create(live=True, site=SiteFactory.create(name="Elsewhere"))
    strange = ListingFactory.create(live=True, company__name="Somebody's")
    for followed in (listing, gone, elsewhere):
        followers.follow(listing=followed, by=in_browser(user))
    followers.follow(listing=strange, by=in_browser(UserFactory.create()))
    Listing.objects.filter(pk=gone.pk).update(status="suspended", suspended_from="live")
    page = person.get("/account/following").content.decode()
    assert f'<a href="{listing.path}">Acme &amp; Sons</a>' in page
    assert "follow anything" not in page
    assert "not public" in page
    assert gone.path not in page
    assert "on Elsewhere" in page
    assert f'"{elsewhere.page_url}"' in page
    assert "Somebody" not in page


def test_leaving_from_the_page_works_for_what_is_gone_too(person: Client, user: User, listing: Listing) -> None:
    followers.follow(listing=listing, by=in_browser(user))
    Listing.objects.filter(pk=listing.pk).update(status="archived")
    follow = Follow.objects.get()
    answer = person.post(f"/account/following/{follow.pk}/unfollow", follow=True)
    assert "Unfollowed Acme &amp; Sons" in answer.content.decode()
    assert not Follow.objects.exists()
    assert person.post(f"/account/following/{follow.pk}/unfollow").status_code == 302


def test_nobody_leaves_for_others(person: Client, listing: Listing) -> None:
    followers.follow(listing=listing, by=in_browser(UserFactory.create()))
    follow = Follow.objects.get()
    person.post(f"/account/following/{follow.pk}/unfollow")
    assert browser().post(f"/account/following/{follow.pk}/unfollow").status_code == 302
    assert person.get(f"/account/following/{follow.pk}/unfollow").status_code == 405
    assert Follow.objects.filter(pk=follow.pk).exists()


def test_the_page_needs_a_sign_in(site: Site) -> None:
    assert browser().get("/account/following")["Location"].startswith("/account/sign-in")
