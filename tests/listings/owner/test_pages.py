"""An owner's pages: who gets there, what a listing's status makes of them, and the dashboard that leads there."""

import json

import pytest
from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.listings.models import Listing, Milestone, Update
from apps.listings.services.editing import update_my_listing
from tests.browsing import signed_in
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.listings.owner.browsing import HOSTILE, PAGES, html_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", PAGES)
def test_the_owner_gets_there_and_nobody_else(browser: Client, listing: Listing, page: str) -> None:
    address = f"{listing.path}/{page}"
    assert browser.get(address).status_code == 200
    for other in (UserFactory.create(), UserFactory.create(is_staff=True, is_superuser=True)):
        assert signed_in(other).get(address).status_code == 404
    anonymous = Client(headers={"host": "testserver.localhost"}).get(address)
    assert anonymous.headers["Location"] == f"/account/sign-in?next={address}"


@pytest.mark.parametrize("page", PAGES)
def test_another_site_does_not_have_the_page(browser: Client, listing: Listing, page: str) -> None:
    other = SiteFactory.create()
    assert browser.get(f"{listing.path}/{page}", headers={"host": other.host}).status_code == 404


@pytest.mark.parametrize("page", ["edit", "milestones", "updates/new"])
def test_nobody_else_changes_anything(listing: Listing, page: str) -> None:
    stranger = signed_in(UserFactory.create())
    before = listing.headline
    sent = {"headline": "Taken over", "title": "Hello", "body": "Text", "date": "2026-01-01"}
    assert stranger.post(f"{listing.path}/{page}", sent).status_code == 404
    listing.refresh_from_db()
    assert listing.headline == before
    assert not Milestone.objects.exists()
    assert not Update.objects.exists()


@pytest.mark.parametrize("page", ["edit", "milestones", "updates/new"])
def test_a_form_from_elsewhere_is_refused(person: User, listing: Listing, page: str) -> None:
    client = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
    client.force_login(person)
    assert client.post(f"{listing.path}/{page}", {"headline": "New"}).status_code == 403


def test_a_rejected_listing_shows_the_reason_and_is_not_edited(browser: Client, person: User) -> None:
    rejected = ListingFactory.create(company__owner=person, status="rejected", status_reason=f"No product. {HOSTILE}")
    for page in ("edit", "milestones", "updates/new"):
        assert browser.get(f"{rejected.path}/{page}").headers["Location"] == f"{rejected.path}/manage"
        assert browser.post(f"{rejected.path}/{page}", {"headline": "New"}).status_code == 302
    for path in (f"{rejected.path}/manage", "/account"):
        html = html_of(browser.get(path))
        assert "No product." in html
        assert HOSTILE not in html
        assert f"{rejected.path}/edit" not in html
    rejected.refresh_from_db()
    assert rejected.headline != "New"


def test_a_merged_listing_has_no_pages(browser: Client, person: User, listing: Listing) -> None:
    merged = ListingFactory.create(company__owner=person, status="archived", merged_into=listing)
    assert browser.get(f"{merged.path}/manage").status_code == 404


@pytest.mark.parametrize("status", [status for status in Listing.Status.values if status != "live"])
def test_every_status_has_an_overview(browser: Client, person: User, status: str) -> None:
    listing = ListingFactory.create(company__owner=person, status=status, launch_week="2026-W40")
    page = browser.get(f"{listing.path}/manage")
    assert page.status_code == 200
    assert page.context["status_text"].text in html_of(page).replace("&#x27;", "'")
    assert browser.get("/account").status_code == 200


def test_hostile_texts_are_texts_on_every_page(browser: Client, person: User, listing: Listing) -> None:
    fields = {
        "name": HOSTILE,
        "headline": HOSTILE,
        "summary": HOSTILE,
        "description": f'{HOSTILE}</textarea>"><img src=x onerror=alert(1)>',
        "tags": [HOSTILE[:29]],
        "audience": '"><b>',
        "faqs": [{"question": HOSTILE, "answer": HOSTILE}],
    }
    update_my_listing(listing=listing, fields=fields, by=Actor(user=person, via="key", credential=HOSTILE))
    Milestone.objects.create(listing=listing, date="2026-01-01", title=HOSTILE, description=HOSTILE)
    Update.objects.create(listing=listing, title=HOSTILE, body=HOSTILE)
    for path in [*(f"{listing.path}/{page}" for page in PAGES), "/account"]:
        html = html_of(browser.get(path))
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "<b>" not in html
        assert "&lt;script&gt;alert(1)" in html


def test_cards_lead_to_the_listings_pages(browser: Client, person: User, listing: Listing) -> None:
    elsewhere = SiteFactory.create(name="Elsewhere")
    other = ListingFactory.create(company=listing.company, site=elsewhere, slug="there")
    html = html_of(browser.get("/account"))
    for page in ("edit", "updates/new"):
        assert f'href="{listing.path}/{page}"' in html
    assert f'href="{listing.site.url(listing.path)}/manage"' in html
    assert f'href="{elsewhere.url(other.path)}/manage"' in html
    assert "Elsewhere" in html


def test_the_overview_counts(browser: Client, listing: Listing) -> None:
    Milestone.objects.create(listing=listing, date="2026-01-01", title="One")
    context = browser.get(f"{listing.path}/manage").context["listing"]
    assert (context["milestone_count"], context["update_count"], context["follower_count"]) == (1, 0, 0)
    assert json.dumps([tab["label"] for tab in context["tabs"]]) == json.dumps(
        [
            "Overview",
            "Launch",
            "Share",
            "Badges",
            "Edit",
            "Pictures",
            "Story",
            "Milestones",
            "Post update",
            "Reviews",
            "Statistics",
            "Buy",
            "History",
        ]
    )
