"""Posting an update in the browser."""

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.listings.models import Follow, Listing, Update
from apps.sites.models import Site
from tests.factories import ListingFactory, UserFactory
from tests.listings.owner.browsing import html_of

pytestmark = pytest.mark.django_db


def test_an_update_is_posted_and_followers_are_counted(browser: Client, person: User, listing: Listing) -> None:
    Follow.objects.create(listing=listing, user=UserFactory.create())
    Follow.objects.create(listing=listing, user=UserFactory.create(is_active=False))
    Follow.objects.create(listing=listing, user=person)
    page = browser.get(f"{listing.path}/updates/new")
    assert "Emails 1 follower." in html_of(page)
    answer = browser.post(f"{listing.path}/updates/new", {"title": "Offline mode", "body": "It works on trains."})
    assert answer.status_code == 302
    assert Update.objects.get().title == "Offline mode"
    assert "Offline mode" in html_of(browser.get("/updates"))


@pytest.mark.parametrize(("field", "typed"), [("title", ""), ("title", "x" * 121), ("body", ""), ("body", "x" * 4001)])
def test_a_wrong_update_is_explained(browser: Client, listing: Listing, field: str, typed: str) -> None:
    sent = {"title": "Offline mode", "body": "It works on trains."} | {field: typed}
    answer = browser.post(f"{listing.path}/updates/new", sent)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert answer.context["form"][field].value() == typed
    assert not Update.objects.exists()


def test_the_days_updates_are_used_up(browser: Client, listing: Listing) -> None:
    Site.objects.update(updates_per_day=1)
    sent = {"title": "Offline mode", "body": "It works on trains."}
    browser.post(f"{listing.path}/updates/new", sent)
    assert "0 of 1" in html_of(browser.get(f"{listing.path}/updates/new"))
    again = browser.post(f"{listing.path}/updates/new", sent)
    assert again.status_code == 429
    assert again.context["form"].non_field_errors()
    assert again.context["form"]["body"].value() == sent["body"]
    assert Update.objects.count() == 1


def test_only_a_live_listing_posts(browser: Client, person: User) -> None:
    draft = ListingFactory.create(company__owner=person)
    answer = browser.post(f"{draft.path}/updates/new", {"title": "Soon", "body": "Text"})
    assert answer.headers["Location"] == f"{draft.path}/manage"
    assert not Update.objects.exists()
