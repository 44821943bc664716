"""Site admins' decisions: who may take them, how they are confirmed, and in which status."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from apps.core.models import OutgoingEmail
from apps.drafts.models import Draft
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.browsing import staff
from tests.listings.statuses import in_status

pytestmark = pytest.mark.db

Status = Listing.Status

# The button's name, where it is possible and where it is not, what is sent, and where it leads.
DECISIONS: list[tuple[str, str, str, dict[str, str], str]] = [
    ("approve", "in_review", "live", {}, "draft"),
    ("reject", "in_review", "draft", {"reason": "Not a product."}, "rejected"),
    ("suspend", "live", "draft", {"reason": "Spam."}, "suspended"),
    ("restore", "suspended", "live", {}, "live"),
]


@pytest.fixture
def team(client: Client, db: None) -> Client:
    client.force_login(staff("view_listing", "change_listing"))
    return client


def page_of(listing: Listing, decision: str) -> str:
    return reverse(f"admin:listings_listing_{decision}_one", args=[listing.pk])


LIST = "/admin/listings/listing/"


def on_its_page(client: Client, listing: Listing, decision: str, sent: dict[str, Any]) -> Any:
    return client.post(page_of(listing, decision), sent)


def in_the_list(client: Client, listing: Listing, decision: str, sent: dict[str, Any]) -> Any:
    return client.post(LIST, {"action": decision, "_selected_action": [listing.pk], **sent})


WAYS = [on_its_page, in_the_list]
Way = Callable[[Client, Listing, str, dict[str, Any]], Any]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("decision", "status", "wrong", "values", "to"), DECISIONS)
def test_a_decision_is_asked_for_and_then_taken(
    team: Client, way: Way, decision: str, status: str, wrong: str, values: dict[str, str], to: str
) -> None:
    listing = in_status(status)
    asked = way(team, listing, decision, {})
    assert asked.status_code == 200
    assert str(listing) in asked.content.decode()
    listing.refresh_from_db()
    assert listing.status == status
    answer = way(team, listing, decision, {"confirmed": "yes", **values})
    assert answer.status_code == 302
    listing.refresh_from_db()
    assert (listing.status, listing.status_reason) == (to, values.get("reason", ""))
    assert OutgoingEmail.objects.get().to == listing.company.owner.email


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("decision", "status", "wrong", "values", "to"), DECISIONS)
def test_in_another_status_it_says_why_not(
    team: Client, way: Way, decision: str, status: str, wrong: str, values: dict[str, str], to: str
) -> None:
    listing = in_status(wrong)
    asked = way(team, listing, decision, {})
    assert f"The listing is {listing.state_words}." in asked.content.decode()
    assert not asked.context["can_decide"]
    answer = way(team, listing, decision, {"confirmed": "yes", **values})
    assert answer.status_code == 302
    assert "The listing is" in team.get(LIST).content.decode()
    listing.refresh_from_db()
    assert listing.status == wrong
    assert not OutgoingEmail.objects.exists()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("decision", "status", "wrong", "values", "to"), DECISIONS)
@pytest.mark.parametrize("who", ["viewer", "owner", "nobody"])
def test_without_the_permission_nothing_happens(
    client: Client,
    db: None,
    who: str,
    way: Way,
    decision: str,
    status: str,
    wrong: str,
    values: dict[str, str],
    to: str,
) -> None:
    listing = in_status(status)
    if who != "nobody":
        client.force_login(staff("view_listing", "change_company") if who == "viewer" else listing.company.owner)
    answer = way(client, listing, decision, {"confirmed": "yes", **values})
    # A list without the action shows no change.
    is_list = way is in_the_list and who == "viewer"
    assert answer.status_code == (200 if is_list else 302 if who != "viewer" else 403)
    assert "decision" not in (answer.context or {})
    listing.refresh_from_db()
    assert listing.status == status
    assert not OutgoingEmail.objects.exists()


@pytest.mark.parametrize(("decision", "status", "wrong", "values", "to"), DECISIONS)
def test_reading_the_page_changes_nothing(
    team: Client, decision: str, status: str, wrong: str, values: dict[str, str], to: str
) -> None:
    listing = in_status(status)
    for address in (page_of(listing, decision), f"{page_of(listing, decision)}?confirmed=yes&reason=x"):
        assert team.get(address).status_code == 200
    listing.refresh_from_db()
    assert listing.status == status


def test_decisions_need_the_forms_token(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(staff("view_listing", "change_listing"))
    listing = in_status("in_review")
    assert client.post(page_of(listing, "approve"), {"confirmed": "yes"}).status_code == 403
    listing.refresh_from_db()
    assert listing.status == "in_review"


@pytest.mark.parametrize("reason", ["", "   ", "x" * 301])
def test_a_suspension_needs_a_reason(team: Client, reason: str) -> None:
    listing = in_status("live")
    answer = team.post(page_of(listing, "suspend"), {"confirmed": "yes", "reason": reason})
    assert answer.status_code == 200
    assert answer.context["form"].errors["reason"]
    listing.refresh_from_db()
    assert listing.status == "live"


def test_many_are_decided_together_and_each_is_said(team: Client) -> None:
    waiting = [in_status("in_review") for _ in range(3)]
    live = in_status("live")
    chosen = [listing.pk for listing in (*waiting, live)]
    answer = team.post(LIST, {"action": "approve", "_selected_action": chosen, "confirmed": "yes"}, follow=True)
    said = [str(message) for message in answer.context["messages"]]
    assert "Listings approved: 3." in said
    assert any(str(live) in text and "The listing is live" in text for text in said)
    assert set(Listing.objects.filter(pk__in=[listing.pk for listing in waiting]).values_list("status", flat=True)) == {
        "draft"
    }


def test_the_list_begins_with_what_waits_longest(team: Client) -> None:
    first, live, second = in_status("in_review"), in_status("live"), in_status("in_review")
    shown = [listing.pk for listing in team.get(LIST).context["cl"].result_list]
    assert shown == [first.pk, second.pk, live.pk]


@pytest.mark.parametrize("status", Status.values)
def test_a_listings_page_has_the_buttons_of_its_status(team: Client, status: str) -> None:
    listing = in_status(status)
    page = team.get(reverse("admin:listings_listing_change", args=[listing.pk])).content.decode()
    shown = {decision for decision, *_ in DECISIONS if page_of(listing, decision) in page}
    expected = {
        "in_review": {"approve", "reject"},
        "scheduled": {"suspend"},
        "live": {"suspend"},
        "archived": {"suspend"},
        "suspended": {"restore"},
    }
    assert shown == expected.get(status, set())


def test_the_queue_shows_what_was_read_on_the_website(team: Client, site: Site) -> None:
    listing = in_status("in_review")
    page = {"snippet": "Sorts your post", "page_url": "https://a.example"}
    values = {
        "headline": "<b>Bold</b>",
        "price_from_cents": "400",
        "country": "NL",
        "socials.x": "@a",
        "faqs.0": "Why?",
    }
    Draft.objects.create(
        owner=listing.company.owner,
        site=site,
        url="https://a.example",
        website_key="a.example",
        domain="a.example",
        status="submitted",
        listing=listing,
        evidence=[{"field": field, "value": value, **page} for field, value in values.items()],
        missing=[{"field": "logo_url", "reason": "No picture."}],
        finished_at=listing.submitted_at,
        submitted_at=listing.submitted_at,
    )
    shown: Any = html.fromstring(team.get(reverse("admin:listings_listing_change", args=[listing.pk])).content)
    rows = shown.xpath("//table[contains(@class, 'admin-evidence')]/tbody/tr")
    assert [[cell.text_content() for cell in row][:3] for row in rows] == [
        ["Headline", "<b>Bold</b>", "Sorts your post"],
        ["Price from", "4.00", "Sorts your post"],
        ["Country", "Netherlands", "Sorts your post"],
        ["X", "@a", "Sorts your post"],
        ["Questions and answers", "Why?", "Sorts your post"],
    ]
    assert "Empty fields: Logo." in shown.text_content()


def test_a_listing_that_is_not_there_leads_back(team: Client) -> None:
    for object_id in ("999999", "abc"):
        answer = team.get(f"/admin/listings/listing/{object_id}/approve_one/")
        assert answer.status_code == 302
