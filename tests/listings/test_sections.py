"""What a plan does not show is said wherever it is read or written, with what unlocks it and for how much."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.drafts.models import Draft
from apps.listings.models import Listing, Milestone
from apps.listings.services.sections import SECTIONS
from apps.orders.models import Product
from tests.api import ApiClient
from tests.factories import ListingFactory

pytestmark = pytest.mark.django_db

FAQS = [{"question": "Is it wet?", "answer": "Very."}]
SHOTS = ["https://shots.example/one.png"]


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    made: Listing = ListingFactory.create(live=True, faqs=FAQS, company__owner=owner.user, company__screenshots=SHOTS)
    Product.objects.filter(site=made.site, name="section_faq").update(price_cents=2350, title="FAQ")
    return made


def sections(body: dict[str, Any]) -> dict[str, Any]:
    return {section["name"]: section for section in body["sections"]}


def test_a_free_listing_says_what_is_hidden_and_what_unlocks_it(owner: ApiClient, listing: Listing) -> None:
    result = sections(owner.get(f"/me/listings/{listing.pk}").json())
    assert set(result) == set(SECTIONS)
    assert [result[name]["shown_on_listing"] for name in result] == [False] * 3
    assert result["gallery"]["fields"] == ["screenshots", "video_url"]
    buy = listing.site.url(reverse("buy", args=[listing.pk]))
    launch = Product.objects.get(site=listing.site, name="launch")
    assert result["faq"]["unlock_with"] == [
        {"product": "section_faq", "title": "FAQ", "price_cents": 2350, "url": buy},
        {"product": "launch", "title": launch.title, "price_cents": launch.price_cents, "url": buy},
    ]
    [step] = result["faq"]["next_steps"]
    assert all(said in step for said in ("$23.50", "section_faq", "create_checkout", buy))


def test_an_edit_of_hidden_fields_says_so(owner: ApiClient, listing: Listing) -> None:
    changed = owner.patch(f"/me/listings/{listing.pk}", {"faqs": [{"question": "Why?", "answer": "So."}]}).json()
    assert sections(changed)["faq"]["shown_on_listing"] is False
    assert changed["next_steps"][0] == sections(changed)["faq"]["next_steps"][0]
    other = owner.patch(f"/me/listings/{listing.pk}", {"fields": {"headline": "Another"}}).json()
    assert "This plan saves" not in " ".join(other["next_steps"])


def test_what_is_unlocked_is_shown(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.update(unlocked_sections=["faq"])
    body = owner.get(f"/me/listings/{listing.pk}").json()
    assert {name for name, section in sections(body).items() if section["shown_on_listing"]} == {"faq"}
    assert (sections(body)["faq"]["unlock_with"], sections(body)["faq"]["next_steps"]) == ([], [])
    assert body["unlocked_sections"] == ["faq"]


def test_a_paid_listing_has_every_section_unlocked(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.update(plan="paid")
    body = owner.get(f"/me/listings/{listing.pk}").json()
    assert body["unlocked_sections"] == list(SECTIONS)
    assert all(section["shown_on_listing"] for section in body["sections"])


def test_before_the_launch_an_unlocked_section_waits_for_it(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.update(status="scheduled", plan="paid")
    result = sections(owner.get(f"/me/listings/{listing.pk}").json())["faq"]
    assert (result["shown_on_listing"], result["unlock_with"], len(result["next_steps"])) == (False, [], 1)


def test_what_is_not_sold_is_not_advised(owner: ApiClient, listing: Listing) -> None:
    Product.objects.update(is_active=False)
    result = sections(owner.get(f"/me/listings/{listing.pk}").json())["faq"]
    assert result["unlock_with"] == []
    assert "create_checkout" not in result["next_steps"][0]
    Product.objects.update(is_active=True)
    Listing.objects.update(status="archived")
    assert sections(owner.get(f"/me/listings/{listing.pk}").json())["faq"]["unlock_with"] == []


def test_milestones_say_it_the_same_way(owner: ApiClient, listing: Listing) -> None:
    added = owner.post(f"/me/listings/{listing.pk}/milestones", {"date": "2026-01-01", "title": "First"}).json()
    assert added["shown_on_listing"] is False
    assert added["next_steps"] == sections(owner.get(f"/me/listings/{listing.pk}").json())["milestones"]["next_steps"]


def test_a_draft_says_it_before_it_is_submitted(owner: ApiClient, listing: Listing) -> None:
    draft = Draft.objects.create(
        site=listing.site,
        owner=listing.company.owner,
        url="https://new.example/",
        website_key="new.example",
        status="ready",
        finished_at=timezone.now(),
        proposal={"name": "New"},
    )
    body = owner.patch(f"/drafts/{draft.pk}", {"fields": {"faqs": FAQS}}).json()
    assert set(sections(body)) == {"faq"}
    assert sections(body)["faq"]["shown_on_listing"] is False
    assert [way["url"] for way in sections(body)["faq"]["unlock_with"]] == [None, None]
    assert "draft" in sections(body)["faq"]["next_steps"][0]


def test_the_owners_pages_say_the_same_with_a_link(owner: ApiClient, client: Client, listing: Listing) -> None:
    Milestone.objects.create(listing=listing, date="2026-01-01", title="First")
    client.force_login(listing.company.owner)
    buy = reverse("buy", args=[listing.pk])
    for name, title in [
        ("edit_listing", "FAQs"),
        ("edit_listing", "screenshots and video"),
        ("listing_milestones", "milestones"),
    ]:
        page = client.get(reverse(name, args=[listing.slug])).content.decode().split("<main")[1]
        assert f"Your plan saves {title} but" in page
        assert buy in page
    page = client.get(listing.path).content.decode()
    assert "FAQ ($23.50)" in page
    Listing.objects.update(plan="paid")
    page = client.get(reverse("edit_listing", args=[listing.slug])).content.decode()
    assert "This plan saves" not in page


@pytest.mark.parametrize("status", ["in_review", "suspended", "archived"])
def test_a_status_in_which_nothing_is_sold_is_the_reason(owner: ApiClient, listing: Listing, status: str) -> None:
    Listing.objects.update(status=status, suspended_from="live" if status == "suspended" else "")
    said = sections(owner.get(f"/me/listings/{listing.pk}").json())["faq"]["next_steps"][0]
    assert status.replace("_", " ") in said
    assert "on sale now" not in said
