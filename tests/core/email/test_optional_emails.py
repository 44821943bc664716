"""Optional emails: they say how to unsubscribe, and are not sent to people who turned them off."""

from collections.abc import Callable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client

from apps.accounts.models import NotificationKind, User
from apps.accounts.models.users import EMAIL_KINDS
from apps.analytics import weekly_email
from apps.analytics.schedule import BEAT
from apps.core.models import OutgoingEmail
from apps.core.text.weeks import Week
from apps.events.recording import record
from apps.launches import emails as launch_emails
from apps.listings.models import Listing, Update
from apps.listings.services import updates
from apps.listings.services.followers import follow
from apps.notifications.digest import send_digests
from apps.sites.models import Site
from apps.stories import emails as story_emails
from apps.stories.models import FounderStory, StoryVersion
from tests.actors import in_browser
from tests.comments.people import comment_on
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.reviews.people import review_of

pytestmark = pytest.mark.django_db

MONDAY = Week.parse("2026-W47").starts_at + timedelta(hours=7)
TEAM = "team@slipway.example"


@pytest.fixture
def person(site: Site) -> User:
    site.team_email = TEAM
    site.save()
    return UserFactory.create(email_notifications=list(EMAIL_KINDS))


def a_live_listing(owner: User) -> Listing:
    listing: Listing = ListingFactory.create(live=True, company__owner=owner)
    return listing


def story_published_by_itself(person: User) -> None:
    story = FounderStory.objects.create(listing=a_live_listing(person), author=person, title="How it began")
    version = StoryVersion.objects.create(story=story, action=StoryVersion.Action.PUBLISHED, via="system")
    story_emails.notify(version)


def comment_on_a_listing(person: User) -> None:
    comment_on(a_live_listing(person))


def review_of_a_listing(person: User) -> None:
    review_of(a_live_listing(person))


def update_of_a_followed_listing(person: User) -> None:
    listing = a_live_listing(UserFactory.create())
    follow(listing=listing, by=in_browser(person))
    update = Update.objects.create(listing=listing, title="Version 2", body="Twice as fast.")
    updates.notify_followers(update.pk)


def weekly_numbers(person: User) -> None:
    a_live_listing(person)
    with time_machine.travel(MONDAY, tick=False):
        weekly_email.send_weekly_numbers()


def daily_digest(person: User) -> None:
    listing = ListingFactory.create(company__owner=person)
    with time_machine.travel(MONDAY, tick=False):
        record("badge.lost", listing.event_subject())
        connection.check_constraints()
        send_digests()


CASES: list[tuple[NotificationKind, Callable[[User], object]]] = [
    (NotificationKind.LAUNCHES, lambda person: launch_emails.notify_live(a_live_listing(person))),
    (NotificationKind.LAUNCHES, lambda person: launch_emails.notify_scheduled(a_live_listing(person))),
    (
        NotificationKind.LAUNCHES,
        lambda person: launch_emails.notify_postponed(a_live_listing(person), missed=Week.parse("2026-W46")),
    ),
    (NotificationKind.STORIES, story_published_by_itself),
    (NotificationKind.COMMENTS, comment_on_a_listing),
    (NotificationKind.COMMENTS, review_of_a_listing),
    (NotificationKind.FOLLOWED, update_of_a_followed_listing),
    (NotificationKind.WEEKLY_NUMBERS, weekly_numbers),
    (NotificationKind.DIGEST, daily_digest),
]
ALWAYS: list[Callable[[User], object]] = [
    lambda person: launch_emails.notify_badge_missing(a_live_listing(person), lose_at=MONDAY),
    lambda person: launch_emails.notify_week_lost(
        a_live_listing(person), lost=Week.parse("2026-W46"), missing_since=MONDAY
    ),
]


def test_every_kind_is_looked_at() -> None:
    assert {kind for kind, _ in CASES} == set(EMAIL_KINDS)


@pytest.mark.parametrize(("kind", "put"), CASES)
def test_it_says_how_to_leave_and_one_click_does(
    person: User, kind: NotificationKind, put: Callable[[User], object]
) -> None:
    put(person)
    email = OutgoingEmail.objects.get(to=person.email)
    assert email.kind == kind
    assert email.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = email.headers["List-Unsubscribe"].strip("<>")
    assert address in email.text
    assert "/account/notifications" in email.text
    strict = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
    assert strict.post(urlsplit(address).path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    # What waits is taken back.
    assert not OutgoingEmail.objects.filter(to=person.email).exists()


@pytest.mark.parametrize(("kind", "put"), CASES)
def test_anyone_who_does_not_want_it_gets_none(
    person: User, kind: NotificationKind, put: Callable[[User], object]
) -> None:
    person.email_notifications = [other for other in EMAIL_KINDS if other != kind]
    person.save()
    put(person)
    assert not OutgoingEmail.objects.filter(to=person.email).exists()


@pytest.mark.parametrize("put", ALWAYS)
def test_what_one_could_lose_something_without_is_always_sent(person: User, put: Callable[[User], object]) -> None:
    person.email_notifications = []
    person.save()
    put(person)
    email = OutgoingEmail.objects.get(to=person.email)
    assert (email.kind, email.headers) == ("", {})


# ---- weekly numbers ----
@pytest.mark.parametrize(
    ("moment", "count"),
    [
        (MONDAY - timedelta(hours=2), 0),
        (MONDAY, 1),
        (MONDAY + timedelta(hours=40), 1),
        (MONDAY + timedelta(hours=42), 0),
        (MONDAY - timedelta(days=1), 0),
    ],
)
def test_they_come_at_the_beginning_of_the_week(person: User, moment: datetime, count: int) -> None:
    a_live_listing(person)
    with time_machine.travel(moment, tick=False):
        assert weekly_email.send_weekly_numbers() == count


def test_they_come_once_a_week_and_one_email_for_all_listings(person: User) -> None:
    elsewhere = SiteFactory.create(name="Elsewhere")
    ListingFactory.create(live=True, company__owner=person, company__name="Acme")
    ListingFactory.create(live=True, company__owner=person, company__name="Orbit", site=elsewhere)
    assert BEAT["weekly-numbers"]["task"] == "apps.analytics.tasks.send_weekly_numbers"
    with time_machine.travel(MONDAY, tick=False):
        assert [weekly_email.send_weekly_numbers() for _ in range(2)] == [1, 0]
    email = OutgoingEmail.objects.get(to=person.email)
    assert email.text.index("Acme\n") < email.text.index("Orbit on Elsewhere\n")
    assert "Views: 0\nVisitors (sum of daily visitors): 0\n" in email.text
    assert "Nov 9–15, 2026" in email.subject
    with time_machine.travel(MONDAY + timedelta(days=7), tick=False):
        assert weekly_email.send_weekly_numbers() == 1


def test_they_are_for_open_accounts_with_a_proven_address_and_a_live_listing(person: User) -> None:
    closed = UserFactory.create(email_notifications=list(EMAIL_KINDS), is_active=False)
    unproven = UserFactory.create(email_notifications=list(EMAIL_KINDS))
    EmailAddress.objects.filter(user=unproven).update(verified=False)
    for owner in (closed, unproven):
        a_live_listing(owner)
    ListingFactory.create(company__owner=person)
    with time_machine.travel(MONDAY, tick=False):
        assert weekly_email.send_weekly_numbers() == 0
    assert not OutgoingEmail.objects.exists()
