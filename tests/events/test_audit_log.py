"""The audit log in the admin."""

import csv
import json
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.events.models import Event
from apps.events.recording import Subject, record
from apps.sites.models import Site
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

LOG = "/admin/events/event/"


@pytest.fixture
def events(site: Site, member: User) -> list[Event]:
    ada, bo = (UserFactory.create(email=f"{name}@example.com") for name in ("ada", "bo"))
    by_key = Actor(user=ada, via="key", credential="=Deploy")
    return [
        record("order.paid", Subject("order", "SL-1", ada.pk, site.pk), by=by_key, total_cents=9900),
        record("listing.suspended", Subject("listing", 7, bo.pk, site.pk), by=Actor(user=member, via="admin")),
    ]


def rows_of(team: Client, **query: str) -> set[str]:
    page = team.get(LOG, query)
    assert page.status_code == 200
    return {event.type for event in page.context["cl"].result_list}


@pytest.mark.usefixtures("events")
@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ({}, {"order.paid", "listing.suspended"}),
        ({"q": "ada@example.com"}, {"order.paid"}),
        ({"q": "SL-1"}, {"order.paid"}),
        ({"q": "listing.suspended"}, {"listing.suspended"}),
        ({"group": "order"}, {"order.paid"}),
        ({"group": "nothing"}, {"order.paid", "listing.suspended"}),
        ({"via": "admin"}, {"listing.suspended"}),
    ],
)
def test_the_log_is_searched_and_filtered(team: Client, query: dict[str, str], shown: set[str]) -> None:
    assert rows_of(team, **query) == shown


def test_chosen_events_are_exported(team: Client, events: list[Event], member: User) -> None:
    answer: Any = team.post(LOG, {"action": "export", "_selected_action": [event.pk for event in events]})
    result = list(csv.DictReader(answer.getvalue().decode().splitlines()))

    assert [(row["id"], row["type"], row["account"], row["actor"], row["via"]) for row in result] == [
        (events[1].key, "listing.suspended", "bo@example.com", member.email, "admin"),
        (events[0].key, "order.paid", "ada@example.com", "ada@example.com", "key"),
    ]
    assert [json.loads(row["data"]) for row in result] == [{}, {"total_cents": 9900}]
    assert result[1]["credential"] == "'=Deploy"


@pytest.mark.usefixtures("events")
@pytest.mark.parametrize("address", [LOG, "/admin/webhooks/delivery/"])
def test_the_list_is_shown_without_counting_all_rows(team: Client, address: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert team.get(address).status_code == 200

    counts = [query["sql"] for query in queries if "COUNT(*)" in query["sql"]]
    assert not [sql for sql in counts if "events_event" in sql or "webhooks_delivery" in sql]


def test_nobody_changes_or_deletes_an_event(team: Client, events: list[Event]) -> None:
    address = f"{LOG}{events[0].pk}"

    assert team.get(f"{address}/change/").status_code == 200
    assert team.post(f"{address}/change/", {"type": "order.refunded"}).status_code == 403
    assert team.post(f"{address}/delete/", {"post": "yes"}).status_code == 403
    assert Event.objects.count() >= 2


def test_the_log_needs_its_permission(client: Client, events: list[Event]) -> None:
    user = UserFactory.create(is_staff=True)
    client.force_login(user)
    assert client.get(LOG).status_code == 403

    user.user_permissions.add(Permission.objects.get(codename="view_event"))
    assert client.get(LOG).status_code == 200
    assert {event.pk for event in events} <= set(Event.objects.values_list("pk", flat=True))
