"""Events of every transition and their numbers."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.models import User
from apps.core.operations.personal_data.retention import delete_expired_data
from apps.core.states import HasStates
from apps.events.models import Event
from apps.events.recording import Subject, record
from apps.events.types import TYPES
from apps.launches.votes.rankings import close_boards, enter_board
from apps.listings.models import Listing
from apps.listings.services.milestones import add_milestone, delete_milestone
from apps.listings.services.updates import delete_listing_update, post_listing_update
from apps.sites.models import Site
from apps.stories.models import StoryVersion
from tests.actors import in_browser
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.racing import run_at_once

TABLES = [model for model in apps.get_models() if issubclass(model, HasStates)]


@pytest.fixture
def account(owner: ApiClient) -> User:
    assert owner.user
    return owner.user


def subject_of(user: User | None, site: Site, pk: str = "1") -> Subject:
    return Subject("listing", pk, user.pk if user else None, site.pk)


def numbers(user: User) -> list[int | None]:
    return list(Event.objects.visible_to(user).values_list("seq", flat=True))


def kinds() -> dict[str, type[HasStates]]:
    """The state tables by the first part of their events' types."""
    names = {"OrderLine": "order_line"}
    return {names.get(model.__name__, model.__name__.lower()): model for model in TABLES}


def test_every_transition_has_a_type() -> None:
    missing = {
        f"{kind}.{after}"
        for kind, model in kinds().items()
        for followers in model.TRANSITIONS.values()
        for after in followers
    }
    missing |= {f"{kind}.{next(iter(model.TRANSITIONS))}" for kind, model in kinds().items() if model.announces_start}
    missing |= {f"badge.{state}" for state in Listing.BadgeState.values}
    missing |= {f"story.{action}" for action in StoryVersion.Action.values}
    assert missing <= TYPES.keys()
    assert len(TABLES) == 10


def test_every_type_is_documented() -> None:
    text = (Path(settings.BASE_DIR) / "docs/operations/events.md").read_text()
    rows = set(text.splitlines())
    for one in TYPES.values():
        data = ", ".join(f"`{name}`" for name in one.data)
        assert f"| `{one.name}` | {one.summary} | {one.kind} | {data} |" in rows


@pytest.mark.django_db
def test_a_move_is_recorded_once_with_its_row(account: User) -> None:
    listing = ListingFactory.create(company__owner=account)
    listing.move_to(Listing.Status.AWAITING_BADGE)
    listing.save(update_fields=["headline"])
    listing.save(update_fields=["status"])
    listing.save()

    result = Event.objects.filter(object_type="listing", object_id=listing.pk).order_by("id")
    assert [(event.type, event.data["previous_status"]) for event in result] == [
        ("listing.draft", None),
        ("listing.awaiting_badge", "draft"),
    ]
    assert {event.account_id for event in result} == {account.pk}


@pytest.mark.django_db
def test_every_move_is_recorded(account: User) -> None:
    listing = ListingFactory.create(company__owner=account, launch_week="2026-W48")
    for status in (Listing.Status.AWAITING_BADGE, Listing.Status.SCHEDULED):
        listing.move_to(status)

    result = Event.objects.filter(object_id=listing.pk).order_by("id")
    assert [event.type for event in result] == ["listing.draft", "listing.awaiting_badge", "listing.scheduled"]


@pytest.mark.django_db(transaction=True)
def test_numbers_have_no_gaps_in_spite_of_rollbacks(account: User, site: Site) -> None:
    record("listing.live", subject_of(account, site))
    with transaction.atomic():
        record("listing.live", subject_of(account, site))
        transaction.set_rollback(True)
    with transaction.atomic():
        record("listing.archived", subject_of(account, site))
        record("listing.suspended", subject_of(account, site))
        assert numbers(account) == [1]

    assert numbers(account) == [1, 2, 3]
    types = Event.objects.visible_to(account).values_list("type", flat=True)
    assert list(types) == ["listing.live", "listing.archived", "listing.suspended"]


@pytest.mark.django_db
def test_events_after_an_early_check_are_numbered_too(account: User, site: Site) -> None:
    for _ in range(2):
        record("listing.live", subject_of(account, site))
        record("listing.archived", subject_of(account, site))
        connection.check_constraints()

    assert numbers(account) == [1, 2, 3, 4]


@pytest.mark.django_db(transaction=True)
def test_events_of_two_accounts_in_opposite_order_wait_for_each_other(
    account: User, other_owner: ApiClient, site: Site
) -> None:
    other = other_owner.user
    assert other

    def write(*accounts: User) -> None:
        for _ in range(20):
            with transaction.atomic():
                for account in accounts:
                    record("listing.live", subject_of(account, site))

    run_at_once(lambda: write(account, other), lambda: write(other, account), lambda: write(account))

    assert numbers(account) == list(range(1, 61))
    assert numbers(other) == list(range(1, 41))


@pytest.mark.django_db(transaction=True)
def test_no_number_is_held_while_a_commit_waits_for_a_locked_row(account: User, site: Site) -> None:
    listing = ListingFactory.create(company__owner=account)

    def lock_row() -> None:
        for _ in range(20):
            with transaction.atomic():
                Listing.objects.select_for_update().get(pk=listing.pk)
                record("listing.live", subject_of(account, site))

    def refer_to_row() -> None:
        for _ in range(20):
            with transaction.atomic():
                record("listing.live", subject_of(account, site))
                listing.milestones.create(date="2026-01-01", title="First")

    begun = numbers(account)
    run_at_once(lock_row, refer_to_row)

    assert numbers(account)[len(begun) :] == [len(begun) + number for number in range(1, 41)]


@pytest.mark.django_db(transaction=True)
def test_events_without_an_account_have_no_number(site: Site) -> None:
    event = record("listing.live", subject_of(None, site))
    event.refresh_from_db()

    assert event.seq is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", [{"data": {}}, {"type": "listing.draft"}, {"seq": 7}, {"actor": None}])
def test_events_are_never_changed(account: User, site: Site, change: dict[str, Any]) -> None:
    event = record("listing.live", subject_of(account, site))

    with pytest.raises(DatabaseError, match="never changed"):
        Event.objects.filter(pk=event.pk).update(**change)
    assert Event.objects.filter(pk=event.pk).update(credential="") == 1


@pytest.mark.django_db
def test_an_event_says_who_caused_it(account: User, site: Site) -> None:
    by_key = record("listing.live", subject_of(account, site), by=Actor(user=account, via="key", credential="Deploy"))
    by_service = record("listing.live", subject_of(account, site))

    assert (by_key.actor_id, by_key.via, by_key.credential) == (account.pk, "key", "Deploy")
    assert (by_service.actor_id, by_service.via) == (None, SYSTEM.via)


@pytest.mark.django_db
def test_updates_and_milestones_are_events(account: User) -> None:
    listing = ListingFactory.create(live=True, company__owner=account)
    by = in_browser(account)
    milestone = add_milestone(listing=listing, date=date(2026, 1, 1), title="First", by=by)
    delete_milestone(milestone=milestone, by=by)
    update = post_listing_update(listing=listing, title="Out", body="Now", by=by)
    delete_listing_update(update=update, by=by)

    result = Event.objects.filter(object_type__in=["milestone", "update"]).order_by("id")
    assert [(event.type, event.via, event.account_id) for event in result] == [
        (name, "browser", account.pk)
        for name in ("milestone.added", "milestone.deleted", "update.posted", "update.deleted")
    ]


@pytest.mark.django_db
def test_a_closed_week_tells_each_listing_its_rank(account: User, time_machine: Any) -> None:
    listing = ListingFactory.create(live=True, company__owner=account)
    enter_board(listing=listing)
    time_machine.move_to(timezone.now() + timedelta(days=8))
    close_boards()

    (event,) = Event.objects.filter(type="leaderboard.closed")
    assert (event.object_id, event.account_id) == (str(listing.pk), account.pk)
    assert event.data == {**listing.event_subject().data, "week": listing.launch_week, "rank": 1, "votes": 0}


@pytest.mark.django_db
def test_events_are_kept_for_90_days(account: User, site: Site, time_machine: Any) -> None:
    record("listing.live", subject_of(account, site))
    time_machine.move_to(timezone.now() + timedelta(days=91))
    kept = record("listing.live", subject_of(account, site))

    assert delete_expired_data()["events.Event"] == 1
    assert list(Event.objects.values_list("pk", flat=True)) == [kept.pk]


@pytest.mark.django_db
def test_examples_have_the_fields_of_real_events(owner: ApiClient) -> None:
    listing = ListingFactory.create(live=True, company__owner=owner.user)
    order = owner.post("/orders/checkout", {"items": [{"product": "section_faq", "listing_id": listing.pk}]})
    assert order.status_code == 201
    for event in Event.objects.all():
        assert event.data.keys() == TYPES[event.type].data.keys(), event.type


@pytest.mark.django_db
def test_an_event_of_a_request_names_its_key(owner: ApiClient) -> None:
    listing = ListingFactory.create(live=True, company__owner=owner.user)
    owner.post("/orders/checkout", {"items": [{"product": "section_faq", "listing_id": listing.pk}]})

    event = Event.objects.get(type="order.pending")
    assert (event.via, event.actor_id) == ("key", owner.user and owner.user.pk)
    assert event.credential
    assert str(owner.key) not in event.credential
