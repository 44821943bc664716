"""Approving, rejecting, suspending, restoring and archiving: what each does, and that it does nothing else."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.core.errors import DomainError
from apps.core.models import OutgoingEmail
from apps.core.states import IllegalTransition
from apps.listings.models import Listing, ListingVersion
from apps.listings.services import moderation
from apps.listings.services.moderation import NotDecidable, ReasonMissing
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.listings.statuses import in_status

pytestmark = pytest.mark.db

Status = Listing.Status

DECISIONS: dict[str, Callable[[Listing, Actor], Listing]] = {
    "approve": lambda listing, by: moderation.approve_listing(listing=listing, by=by),
    "reject": lambda listing, by: moderation.reject_listing(listing=listing, reason="Not a product.", by=by),
    "suspend": lambda listing, by: moderation.suspend_listing(listing=listing, reason="Spam.", by=by),
    "restore": lambda listing, by: moderation.restore_listing(listing=listing, by=by),
    "archive": lambda listing, by: moderation.archive_listing(listing=listing, by=by),
}
# decision, from, to; whatever is not here is refused.
POSSIBLE = {
    ("approve", "in_review"): "draft",
    ("reject", "in_review"): "rejected",
    ("suspend", "scheduled"): "suspended",
    ("suspend", "live"): "suspended",
    ("suspend", "archived"): "suspended",
    ("restore", "suspended"): "live",
    ("archive", "live"): "archived",
}


@pytest.fixture
def team(db: None) -> Actor:
    return Actor(user=UserFactory.create(is_staff=True), via="admin")


def _row(listing: Listing) -> dict[str, Any]:
    return dict(Listing.objects.filter(pk=listing.pk).values().get())


@pytest.mark.parametrize("status", Status.values)
@pytest.mark.parametrize("decision", DECISIONS)
def test_every_decision_in_every_status(team: Actor, decision: str, status: str) -> None:
    listing = in_status(status)
    before = _row(listing)
    to = POSSIBLE.get((decision, status))
    if to is None:
        with pytest.raises(NotDecidable) as refusal:
            DECISIONS[decision](listing, team)
        assert f"The listing is {listing.state_words}." in refusal.value.detail
        assert _row(listing) == before
        assert not OutgoingEmail.objects.exists()
        assert not ListingVersion.objects.exists()
        return
    DECISIONS[decision](listing, team)
    after = _row(listing)
    assert after["status"] == to
    changed = {name for name in after if after[name] != before[name]}
    assert changed <= {"status", "status_reason", "suspended_from", "updated_at"}


@pytest.mark.parametrize(("decision", "status"), POSSIBLE)
def test_the_owner_is_told_and_the_history_keeps_it(team: Actor, decision: str, status: str) -> None:
    listing = in_status(status)
    decided = DECISIONS[decision](listing, team)
    email = OutgoingEmail.objects.get()
    assert email.to == listing.company.owner.email
    assert listing.company.name in email.subject
    assert decided.status_reason in email.text
    version = ListingVersion.objects.exclude(changes=[]).get()
    assert (version.listing, version.author, version.via) == (listing, team.user, "admin")
    assert {"field": "status", "before": status, "after": POSSIBLE[decision, status]} in version.changes


@pytest.mark.parametrize("status", ["scheduled", "live", "archived"])
def test_a_suspension_ends_where_it_began(team: Actor, status: str) -> None:
    listing = in_status(status)
    week, votes = listing.launch_week, listing.votes
    suspended = moderation.suspend_listing(listing=listing, reason="  Bad\n\u202elinks.  ", by=team)
    assert (suspended.suspended_from, suspended.status_reason) == (status, "Bad links.")
    restored = moderation.restore_listing(listing=listing, by=team)
    assert (restored.status, restored.suspended_from, restored.status_reason) == (status, "", "")
    assert (restored.launch_week, restored.votes) == (week, votes)


@pytest.mark.parametrize("decision", ["reject", "suspend"])
@pytest.mark.parametrize(
    ("reason", "problem"),
    [("", ReasonMissing), (" \n\x00 ", ReasonMissing), ("\u200b\u202e", ReasonMissing), ("x" * 301, DomainError)],
)
def test_a_reason_is_needed(team: Actor, decision: str, reason: str, problem: type[DomainError]) -> None:
    listing = in_status("in_review" if decision == "reject" else "live")
    command = moderation.reject_listing if decision == "reject" else moderation.suspend_listing
    with pytest.raises(problem) as refusal:
        command(listing=listing, reason=reason, by=team)
    assert refusal.value.errors[0].pointer == "/reason"
    listing.refresh_from_db()
    assert listing.status in {"in_review", "live"}


def test_a_reason_is_text_in_the_email(team: Actor) -> None:
    listing = in_status("live")
    moderation.suspend_listing(listing=listing, reason="Uses <b>our</b> name & logo", by=team)
    assert "Uses <b>our</b> name & logo" in OutgoingEmail.objects.get().text


def test_deciding_twice_tells_once(team: Actor) -> None:
    listing = in_status("live")
    moderation.suspend_listing(listing=listing, reason="Spam.", by=team)
    with pytest.raises(NotDecidable):
        moderation.suspend_listing(listing=listing, reason="Spam.", by=team)
    assert OutgoingEmail.objects.count() == 1
    moderation.restore_listing(listing=listing, by=team)
    moderation.suspend_listing(listing=listing, reason="Again.", by=team)
    assert OutgoingEmail.objects.count() == 3


def test_a_rejected_listing_has_no_way_back(team: Actor) -> None:
    listing = in_status("in_review")
    rejected = moderation.reject_listing(listing=listing, reason="No.", by=team)
    for status in set(Status.values) - {"rejected"}:
        with pytest.raises(IllegalTransition):
            rejected.move_to(status)


# ---- archiving in the browser ----
@pytest.fixture
def live(db: None) -> Listing:
    return ListingFactory.create(live=True)


def _address(listing: Listing) -> str:
    return reverse("archive_listing", args=[listing.slug])


def test_the_owner_reads_first_and_then_archives(client: Client, live: Listing) -> None:
    client.force_login(live.company.owner)
    page = client.get(_address(live)).content.decode()
    assert "notice-warn" in page
    assert "vote ledger" in page
    live.refresh_from_db()
    assert live.status == Status.LIVE
    assert client.post(_address(live)).status_code == 302
    live.refresh_from_db()
    assert live.status == Status.ARCHIVED
    assert ListingVersion.objects.exclude(changes=[]).get().via == "browser"


@pytest.mark.parametrize("who", ["nobody", "another owner", "staff"])
def test_nobody_else_archives(client: Client, live: Listing, who: str) -> None:
    if who != "nobody":
        client.force_login(UserFactory.create(is_staff=who == "staff"))
    for send in (client.get, client.post):
        answer = send(_address(live))
        assert answer.status_code == (302 if who == "nobody" else 404)
        assert who != "nobody" or "/account/sign-in" in answer["Location"]
    live.refresh_from_db()
    assert live.status == Status.LIVE


def test_archiving_needs_the_forms_token(live: Listing) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(live.company.owner)
    assert client.post(_address(live)).status_code == 403
    live.refresh_from_db()
    assert live.status == Status.LIVE


@pytest.mark.parametrize("status", sorted(set(Status.values) - {"live"}))
def test_only_live_listings_have_something_to_archive(client: Client, db: None, status: str) -> None:
    listing = in_status(status)
    client.force_login(listing.company.owner)
    for send in (client.get, client.post):
        assert send(_address(listing)).status_code == 302
    listing.refresh_from_db()
    assert listing.status == status


def test_a_listing_is_archived_on_its_own_site_only(client: Client, live: Listing) -> None:
    elsewhere = ListingFactory.create(live=True, company=live.company, site=SiteFactory.create(), slug="elsewhere")
    client.force_login(live.company.owner)
    assert client.post(_address(elsewhere)).status_code == 404
    assert client.post(_address(elsewhere), headers={"host": elsewhere.site.host}).status_code == 302
    assert set(Listing.objects.filter(company=live.company).values_list("status", flat=True)) == {"live", "archived"}
