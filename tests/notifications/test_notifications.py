"""The notification center: whose events it shows, what counts as unread, and how it pages."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from lxml import html

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.models import NotificationKind, User
from apps.accounts.models.users import IN_APP_KINDS, can_be_emailed
from apps.accounts.own_data.deletion import erase_account
from apps.events.models import Event
from apps.events.recording import Subject, record
from apps.events.types import TYPES
from apps.listings.models import Follow, Listing
from apps.notifications import inbox
from apps.notifications.digest import set_digest_hour
from apps.notifications.inbox import MOST_COUNTED, PER_PAGE, Position, count_unread, list_notifications, mark_read
from apps.notifications.models import Digest
from apps.notifications.texts import TEXTS, sentence
from apps.sites.models import Site
from tests.actors import in_browser
from tests.browsing import browser
from tests.factories import CompanyFactory, ListingFactory, SiteFactory, UserFactory

pytestmark = pytest.mark.django_db

PAGE = "/notifications"


@pytest.fixture
def person(site: Site) -> User:
    return UserFactory.create()


@pytest.fixture
def client(person: User) -> Client:
    client = browser()
    client.force_login(person)
    return client


def happen(user: User, *types: str, by: Actor = SYSTEM, **data: Any) -> None:
    """Record events and number them, as a commit does."""
    site = Site.objects.get(is_default=True)
    for name in types:
        known = TYPES[name]
        subject = Subject(known.kind, known.object_id, user.pk, site.pk, {**known.data, **data})
        record(name, subject, by=by)
    connection.check_constraints()


def texts(user: User) -> list[str]:
    return [item.text for item in list_notifications(user).items]


def seen(client: Client, address: str = PAGE) -> Any:
    return html.document_fromstring(client.get(address).content)


def followed(person: User, **of_listing: Any) -> Listing:
    listing: Listing = ListingFactory.create(live=True, **of_listing)
    Follow.objects.create(user=person, listing=listing, created_at=timezone.now() - timedelta(days=1))
    return listing


# ---- the sentences ----
@pytest.mark.parametrize("name", TEXTS)
def test_every_type_has_a_sentence_and_a_kind_that_can_be_chosen(name: str) -> None:
    known = TYPES[name]
    event = Event(type=name, object_type=known.kind, object_id=known.object_id, data=known.data)
    told = sentence(event, name="Orbitly")
    assert told.endswith(".")
    assert "{" not in told
    assert "None" not in told
    assert TEXTS[name].kind in IN_APP_KINDS


def test_what_was_bought_for_a_later_week_is_not_called_delivered(person: User) -> None:
    happen(person, "order_line.fulfilled", product="launch", order="SL-1")
    [told] = texts(person)
    assert ("Launch" in told, "SL-1" in told, "delivered" in told) == (True, True, False)


# ---- who sees what ----
def test_only_events_of_the_own_account_are_shown(person: User) -> None:
    happen(UserFactory.create(), "order.paid")
    assert (texts(person), count_unread(person)) == ([], 0)
    happen(person, "order.paid")
    assert (len(texts(person)), count_unread(person)) == (1, 1)


def test_what_people_do_in_the_browser_is_no_news_to_them(person: User) -> None:
    happen(person, "listing.archived", by=in_browser(person))
    assert (texts(person), count_unread(person)) == ([], 0)
    happen(person, "listing.archived", by=Actor(user=person, via="assistant", credential="Claude"))
    happen(person, "listing.suspended", by=Actor(user=UserFactory.create(), via="admin"))
    happen(person, "listing.live")
    assert count_unread(person) == len(texts(person)) == 3


def test_events_for_programs_are_not_shown(person: User) -> None:
    happen(person, "payment.starting", "payment.open", "order.pending")
    assert (texts(person), count_unread(person)) == ([], 0)


def test_kinds_that_were_turned_off_are_neither_shown_nor_counted(person: User) -> None:
    followed(person).updates.create(title="Version 2", body="It is out.")
    happen(person, "order.paid", "draft.ready")
    person.in_app_notifications = [NotificationKind.DRAFTS]
    assert [item.kind for item in list_notifications(person).items] == [NotificationKind.DRAFTS]
    assert count_unread(person) == 1


def test_updates_of_followed_listings_are_public_and_later_than_the_follow(person: User) -> None:
    listing = followed(person, company__name="Acme")
    kept = listing.updates.create(title="Version 2", body="It is out.")
    listing.updates.create(title="Old", body="Old.", created_at=timezone.now() - timedelta(days=2))
    listing.updates.create(title="", body="", deleted_at=timezone.now())
    followed(person, status="suspended").updates.create(title="Hidden", body="Hidden.")
    followed(person, company__owner=person).updates.create(title="Own", body="Own.")
    ListingFactory.create(live=True).updates.create(title="Unknown", body="Unknown.")
    (shown,) = list_notifications(person).items
    assert (shown.text, shown.url) == ("Acme posted an update: Version 2", f"{listing.page_url}#update-{kept.pk}")
    assert count_unread(person) == 1


def test_a_listing_that_was_handed_over_is_named_by_its_slug_without_a_link(person: User) -> None:
    listing = ListingFactory.create(company=CompanyFactory.create(owner=person, name="Acme"), slug="acme")
    record("badge.found", listing.event_subject())
    connection.check_constraints()
    shown, *_ = list_notifications(person).items
    assert "Acme" in shown.text
    assert shown.url.endswith("/listings/acme/badges")
    listing.company.owner = UserFactory.create()
    listing.company.name = "Secret"
    listing.company.save()
    shown, *_ = list_notifications(person).items
    assert (shown.url, "acme" in shown.text, "Secret" in shown.text) == ("", True, False)


def test_a_merged_listing_has_no_page(person: User) -> None:
    merged = ListingFactory.create(company__owner=person)
    record("badge.found", merged.event_subject())
    connection.check_constraints()
    Listing.objects.filter(pk=merged.pk).update(merged_into=ListingFactory.create(live=True), status="archived")
    shown, *_ = list_notifications(person).items
    assert shown.url == ""


def test_a_deleted_account_has_neither_digest_nor_page(person: User, client: Client) -> None:
    happen(person, "order.paid")
    set_digest_hour(person, 7)
    User.objects.filter(pk=person.pk).update(deletion_due_at=timezone.now())
    assert erase_account(person.pk)
    assert not Digest.objects.exists()
    assert client.get(PAGE).status_code == 302
    assert person.pk not in {user.pk for user in User.objects.filter(can_be_emailed())}


# ---- unread ----
def test_marking_as_read_leaves_what_came_later(person: User) -> None:
    happen(person, "order.paid", "draft.ready")
    shown = list_notifications(person)
    happen(person, "draft.failed")
    mark_read(person, through=shown.newest)
    person.refresh_from_db()
    assert [item.is_unread for item in list_notifications(person).items] == [True, False, False]
    assert count_unread(person) == 1
    mark_read(person, through=Position(1, 0))
    person.refresh_from_db()
    assert count_unread(person) == 1


def test_events_and_updates_are_read_separately(person: User) -> None:
    listing = followed(person)
    for _ in range(3):
        listing.updates.create(title="News", body="News.")
    happen(person, "order.paid")
    mark_read(person, through=list_notifications(person).newest)
    person.refresh_from_db()
    happen(person, "draft.ready")
    assert count_unread(person) == 1


def test_the_count_ends_at_a_hundred(person: User, client: Client) -> None:
    happen(person, *["draft.ready"] * (MOST_COUNTED + 2))
    assert count_unread(person) == MOST_COUNTED
    assert "99+" in client.get("/account").content.decode()


def test_only_the_last_events_are_counted(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_SCANNED", 3)
    happen(person, "order.paid", "payment.open", "payment.open")
    assert count_unread(person) == 1
    happen(person, "payment.open")
    assert count_unread(person) == 0


# ---- the page ----
def test_pages_follow_without_gaps_or_repeats(person: User, client: Client) -> None:
    listing = followed(person)
    for number in range(PER_PAGE):
        happen(person, "draft.ready", url=f"https://site{number}.example/")
        listing.updates.create(title=f"Update {number}.", body="News.")
    result: list[str] = []
    address = PAGE
    pages = 0
    while address:
        page = seen(client, address)
        result += [one.text_content() for one in page.xpath("//ul[contains(@class, 'notifications')]//a")]
        address = next(iter(page.xpath("//a[@rel='next']/@href")), "")
        pages += 1
    assert pages == 2
    assert len(result) == len(set(result)) == 2 * PER_PAGE


def test_the_page_marks_what_is_unread_and_takes_it_as_read(person: User, client: Client) -> None:
    happen(person, "order.paid")
    page = seen(client)
    (form,) = page.xpath("//form[contains(@action, '/notifications/read')]")
    through = form.xpath(".//input[@name='through']/@value")[0]
    assert len(page.xpath("//li[contains(@class, 'unread')]")) == 1
    assert client.post("/notifications/read", {"through": through}).headers["Location"] == PAGE
    page = seen(client)
    assert page.xpath("//li[contains(@class, 'unread')] | //form[contains(@action, '/notifications/read')]") == []


@pytest.mark.parametrize("through", ["", "7", "a-b", "1-2", "1-2-3-4", "-1-2-3", f"{2**63}-0-0"])
def test_a_wrong_position_is_not_found(person: User, client: Client, through: str) -> None:
    assert client.post("/notifications/read", {"through": through}).status_code == 404
    if through:
        assert client.get(PAGE, {"before": through}).status_code == 404


def test_the_page_is_empty_without_notifications_and_asks_for_a_sign_in(client: Client) -> None:
    assert seen(client).xpath("//*[@class='empty']")
    assert browser().get(PAGE).status_code == 302
    assert browser().post("/notifications/read", {"through": "1-1"}).status_code == 302


def test_notifications_lead_to_orders_drafts_and_listings(person: User, client: Client, site: Site) -> None:
    elsewhere = SiteFactory.create()
    live = ListingFactory.create(live=True, company__owner=person, site=elsewhere)
    record("listing.live", live.event_subject())
    happen(person, "order.paid", "refund.done", "draft.ready", "claim.proven")
    urls = [item.url for item in list_notifications(person).items][:5]
    assert urls == ["/claims/4", "/drafts/31", "/orders/SL-7K2M9Q", "/orders/SL-7K2M9Q", live.page_url]


# ---- queries ----
def about_notifications(captured: CaptureQueriesContext) -> list[str]:
    words = ("events_event", "notifications_", "listings_update")
    return [query["sql"] for query in captured if any(word in query["sql"] for word in words)]


def test_the_header_counts_with_one_query(person: User, client: Client) -> None:
    happen(person, "order.paid")
    with CaptureQueriesContext(connection) as captured:
        page = client.get("/account")
    assert page.context["unread_notifications"]() == 1
    assert len(about_notifications(captured)) == 1


def test_visitors_cost_no_query(site: Site) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert browser().get("/pricing").status_code == 200
    assert about_notifications(captured) == []
