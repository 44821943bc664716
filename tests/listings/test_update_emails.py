"""Followers are emailed what is posted: once each, in batches, whatever breaks off in between."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from kombu.exceptions import OperationalError

from apps.accounts.actors import SYSTEM
from apps.accounts.models import User
from apps.core import tasks as core_tasks
from apps.core.email import delivery
from apps.core.models import OutgoingEmail
from apps.listings import tasks
from apps.listings.models import Follow, Listing, Update
from apps.listings.schedule import BEAT
from apps.listings.services import updates
from apps.listings.services.followers import follow, unfollow
from apps.sites.models import Site
from tests.actors import in_browser
from tests.api import ApiClient
from tests.browsing import browser
from tests.email_server import EmailServer
from tests.factories import ListingFactory, UserFactory
from tests.outgoing import serving
from tests.racing import run_at_once

pytestmark = pytest.mark.db


@pytest.fixture
def listing(owner: ApiClient, site: Site) -> Listing:
    return ListingFactory.create(live=True, company__owner=owner.user, company__name="Acme")


@pytest.fixture
def server(settings: Any) -> Iterator[EmailServer]:
    with serving(settings) as server:
        yield server


def send(client: ApiClient, listing: Listing) -> Any:
    return client.post(f"/me/listings/{listing.pk}/updates", {"title": "Version 2", "body": "It is twice as fast."})


def followers(listing: Listing, count: int) -> list[User]:
    """People who follow, made in few statements."""
    run = uuid4().hex[:8]
    people = User.objects.bulk_create([User(email=f"reader{number}-{run}@example.com") for number in range(count)])
    EmailAddress.objects.bulk_create(
        [EmailAddress(user=person, email=person.email, verified=True, primary=True) for person in people]
    )
    Follow.objects.bulk_create([Follow(listing=listing, user=person) for person in people])
    return people


def told() -> list[str]:
    return list(OutgoingEmail.objects.order_by("pk").values_list("to", flat=True))


@pytest.mark.slow
def test_posting_costs_the_same_whoever_follows(owner: ApiClient, listing: Listing) -> None:
    counts = []
    send(owner, listing)
    for more in (0, 1000):
        followers(listing, more)
        with CaptureQueriesContext(connection) as queries:
            assert send(owner, listing).status_code == 201
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert told() == []


@pytest.mark.django_db(transaction=True)
def test_posting_wakes_a_worker_and_outlives_the_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = ListingFactory.create(live=True)
    followers(listing, 1)
    woken = []

    def wake(update_id: int) -> None:
        woken.append(update_id)
        raise OperationalError

    owner = ApiClient(listing.company.owner)
    monkeypatch.setattr(tasks.notify_followers, "delay", wake)
    assert send(owner, listing).status_code == 201
    assert woken == [Update.objects.get().pk]
    monkeypatch.setattr(tasks.notify_followers, "delay", tasks.notify_followers)
    monkeypatch.setattr(core_tasks.send_emails, "delay", lambda: None)
    assert BEAT["followers-notify"]["task"] == tasks.notify_remaining_followers.name
    tasks.notify_remaining_followers()
    assert len(told()) == 1
    tasks.notify_remaining_followers()
    assert len(told()) == 1


def test_who_is_emailed(listing: Listing) -> None:
    people = followers(listing, 7)
    kept, closed, unproven, changed, left, _, stranger = people
    User.objects.filter(pk=closed.pk).update(is_active=False)
    EmailAddress.objects.filter(user=unproven).update(verified=False)
    EmailAddress.objects.filter(user=changed).update(email="somebody-else@example.com")
    unfollow(listing=listing, by=in_browser(left))
    follow(listing=listing, by=in_browser(listing.company.owner))
    other = ListingFactory.create(live=True)
    Follow.objects.filter(user=stranger).update(listing=other)
    update = updates.post_listing_update(listing=listing, title="t", body="b", by=SYSTEM)
    late = UserFactory.create()
    Follow.objects.create(listing=listing, user=late, created_at=timezone.now() + timedelta(seconds=1))
    tasks.notify_followers(update.pk)
    assert told() == [kept.email, people[5].email]


def test_the_email(listing: Listing, site: Site) -> None:
    [person] = followers(listing, 1)
    update = updates.post_listing_update(
        listing=listing, title="Version 2", body="First part.\n\nSecond part.", by=SYSTEM
    )
    tasks.notify_followers(update.pk)
    row = OutgoingEmail.objects.get()
    assert row.subject == "Acme: Version 2"
    email = delivery._composed(row)
    leave = row.headers["List-Unsubscribe"].strip("<>")
    assert row.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert leave.startswith(site.url("/unsubscribe/"))
    for text in (email.body, str(email.alternatives[0][0])):
        for part in ("First part.", "Second part.", leave, f"{listing.page_url}#update-{update.pk}", "Acme"):
            assert part in text
    assert email.to == [person.email]


def test_batches_reach_everybody_once(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "NOTIFY_BATCH", 3)
    people = followers(listing, 6)
    update = updates.post_listing_update(listing=listing, title="t", body="b", by=SYSTEM)
    assert updates.notify_followers(update.pk)
    update.refresh_from_db()
    assert (len(told()), update.notified_at) == (3, None)
    tasks.notify_followers(update.pk)
    update.refresh_from_db()
    assert told() == [person.email for person in people]
    assert update.notified_at is not None
    assert updates.updates_to_notify() == []
    tasks.notify_followers(update.pk)
    assert len(told()) == 6


@pytest.mark.slow
def test_a_batch_costs_the_same_queries_for_few_and_many(listing: Listing) -> None:
    counts = []
    for more in (3, 300):
        followers(listing, more)
        update = updates.post_listing_update(listing=listing, title="t", body="b", by=SYSTEM)
        with CaptureQueriesContext(connection) as queries:
            updates.notify_followers(update.pk)
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert len(told()) == 3 + 303


class Killed(BaseException):
    """What a worker's end looks like from inside."""


@pytest.mark.django_db(transaction=True)
def test_a_kill_between_batches_loses_nobody_and_tells_nobody_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_tasks.send_emails, "delay", lambda: None)
    monkeypatch.setattr(tasks.notify_followers, "delay", lambda update_id: None)
    monkeypatch.setattr(updates, "NOTIFY_BATCH", 4)
    listing = ListingFactory.create(live=True)
    people = followers(listing, 10)
    update = updates.post_listing_update(listing=listing, title="t", body="b", by=SYSTEM)
    save, saves = Update.save, []

    def die_once(row: Update, **more: Any) -> None:
        saves.append(row.notified_through)
        if len(saves) == 2:
            raise Killed
        save(row, **more)

    monkeypatch.setattr(Update, "save", die_once)
    with pytest.raises(Killed):
        tasks.notify_followers(update.pk)
    assert len(told()) == 4, "the mails of the batch that died went with it"
    assert updates.updates_to_notify() == [update.pk]
    tasks.notify_followers(update.pk)
    assert told() == [person.email for person in people]


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_time_tell_nobody_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_tasks.send_emails, "delay", lambda: None)
    monkeypatch.setattr(tasks.notify_followers, "delay", lambda update_id: None)
    monkeypatch.setattr(updates, "NOTIFY_BATCH", 5)
    listing = ListingFactory.create(live=True)
    people = followers(listing, 48)
    update = updates.post_listing_update(listing=listing, title="t", body="b", by=SYSTEM)
    run_at_once(*[lambda: tasks.notify_followers(update.pk)] * 3)
    tasks.notify_followers(update.pk)
    assert sorted(told()) == sorted(person.email for person in people)


def test_a_listing_that_left_in_between_tells_nobody(listing: Listing) -> None:
    followers(listing, 2)
    update = updates.post_listing_update(listing=listing, title="t", body="b", by=SYSTEM)
    Listing.objects.filter(pk=listing.pk).update(status="suspended", suspended_from="live")
    tasks.notify_followers(update.pk)
    assert told() == []
    Listing.objects.filter(pk=listing.pk).update(status="live", suspended_from="")
    tasks.notify_remaining_followers()
    assert told() == []
    assert "It is" not in browser().get("/updates").content.decode()


def test_leaving_takes_back_what_waits(listing: Listing) -> None:
    leaving, staying = followers(listing, 2)
    update = updates.post_listing_update(listing=listing, title="t", body="b", by=SYSTEM)
    tasks.notify_followers(update.pk)
    unfollow(listing=listing, by=in_browser(leaving))
    assert told() == [staying.email]


def test_from_the_post_to_leaving_by_one_click(owner: ApiClient, listing: Listing, server: EmailServer) -> None:
    [person] = followers(listing, 1)
    send(owner, listing)
    for update_id in updates.updates_to_notify():
        tasks.notify_followers(update_id)
    core_tasks.send_emails()
    [message] = server.messages
    assert message["To"] == person.email
    leave = message["List-Unsubscribe"].strip(" <>")
    strict = Client(headers={"host": "testserver.localhost"}, enforce_csrf_checks=True)
    path = "/unsubscribe/" + leave.rpartition("/")[2]
    assert strict.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not Follow.objects.exists()
