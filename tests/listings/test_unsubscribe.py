"""Leaving by the link in an email (RFC 8058): without signing in, without cookies, by POST alone."""

from urllib.parse import urlsplit

import pytest
from django.core import signing
from django.test import Client

from apps.accounts.models import User
from apps.launches.models import Standing
from apps.listings.models import Follow, Listing
from apps.listings.services import followers
from apps.sites.models import Site
from tests.actors import in_browser
from tests.browsing import browser
from tests.factories import ListingFactory, UserFactory

pytestmark = pytest.mark.db


@pytest.fixture
def listing(site: Site) -> Listing:
    return ListingFactory.create(live=True, company__name="Acme <b>")


@pytest.fixture
def user(listing: Listing) -> User:
    user = UserFactory.create()
    followers.follow(listing=listing, by=in_browser(user))
    followers.follow(listing=listing, by=in_browser(UserFactory.create()))
    followers.follow(listing=ListingFactory.create(live=True), by=in_browser(user))
    return user


@pytest.fixture
def path(listing: Listing, user: User) -> str:
    return urlsplit(followers.unsubscribe_url(listing=listing, user_id=user.pk)).path


@pytest.fixture
def strict() -> Client:
    """An email program: no cookies, no token of a form."""
    return Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)


def test_looking_changes_nothing(strict: Client, path: str) -> None:
    answer = strict.get(path)
    assert answer.status_code == 200
    assert strict.head(path).status_code == 200
    page = answer.content.decode()
    assert "Stop emails from <bdi>Acme &lt;b&gt;</bdi>?" in page
    assert '<form method="post">' in page
    assert Follow.objects.count() == 3


def test_one_click_leaves_this_one_listing(strict: Client, path: str, listing: Listing, user: User) -> None:
    answer = strict.post(path, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 200
    assert "Unsubscribed" in answer.content.decode()
    assert not followers.is_following(listing, user)
    assert Follow.objects.count() == 2


def test_a_form_of_parts_is_taken_too(strict: Client, path: str, listing: Listing, user: User) -> None:
    assert strict.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not followers.is_following(listing, user)


def test_leaving_again_is_the_same(strict: Client, path: str) -> None:
    pages = [strict.post(path).content, strict.post(path).content, strict.get(path).content]
    assert all(b"Unsubscribed" in page for page in pages)
    assert Follow.objects.count() == 2


def test_it_survives_whatever_is_gone(strict: Client, path: str, listing: Listing, user: User) -> None:
    User.objects.filter(pk=user.pk).delete()
    assert strict.post(path).status_code == 200
    Standing.objects.filter(listing=listing).delete()
    listing.delete()
    answer = strict.post(path)
    assert answer.status_code == 200
    assert "no longer exists" in answer.content.decode()


def test_a_suspended_listing_is_left_too(strict: Client, path: str, listing: Listing, user: User) -> None:
    Listing.objects.filter(pk=listing.pk).update(status="suspended", suspended_from="live")
    answer = strict.post(path)
    assert answer.status_code == 200
    assert listing.path not in answer.content.decode()
    assert not followers.is_following(listing, user)


def test_wrong_tokens_lead_nowhere(strict: Client, path: str, listing: Listing, user: User) -> None:
    token = path.rpartition("/")[2]
    value, _, signature = token.partition(".")
    foreign = signing.Signer(salt="another purpose", sep=".").sign(value)
    no_numbers = signing.Signer(salt="apps.listings.services.followers", sep=".").sign("one-two")
    for wrong in [
        f"{listing.pk}-{user.pk + 1}.{signature}",
        value,
        "x",
        f"{token}x",
        foreign,
        no_numbers,
        f"é.{token}",
    ]:
        assert strict.get(f"/unsubscribe/{wrong}").status_code == 404
        assert strict.post(f"/unsubscribe/{wrong}").status_code == 404
    assert Follow.objects.count() == 3


def test_the_address_is_nobody_elses(strict: Client, path: str) -> None:
    answer = strict.get(path)
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert "Disallow: /unsubscribe/" in browser().get("/robots.txt").content.decode()


def test_other_methods_are_refused(strict: Client, path: str) -> None:
    assert strict.put(path).status_code == 405
    assert strict.delete(path).status_code == 405
    assert Follow.objects.count() == 3
