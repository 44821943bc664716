"""list_events: an account's events, oldest first, with a cursor and long polling."""

from typing import Any

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.accounts.api_keys.services import revoke_api_key
from apps.accounts.models import ApiKey, User
from apps.events.models import Event
from apps.events.recording import Subject, record
from apps.events.types import TYPES
from apps.sites.models import Site
from tests.api import ApiClient

pytestmark = pytest.mark.django_db


def happen(user: User | None, site: Site, *types: str) -> None:
    """Record events and number them, as a commit does."""
    assert user
    for type_ in types:
        by = Actor(user=user, via="key", credential="Deploy")
        record(type_, Subject(type_.partition(".")[0], 5, user.pk, site.pk, {"total_cents": 3}), by=by)
    connection.check_constraints()


def read(client: ApiClient, **query: Any) -> dict[str, Any]:
    answer = client.get("/events", {name: str(value) for name, value in query.items()})
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_events_come_oldest_first_with_all_that_is_known(owner: ApiClient, site: Site) -> None:
    happen(owner.user, site, "order.pending", "order.paid")
    body = read(owner)

    first = Event.objects.get(type="order.pending")
    assert [item["type"] for item in body["items"]] == ["order.pending", "order.paid"]
    assert body["items"][0] == {
        "seq": 1,
        "id": first.key,
        "type": "order.pending",
        "at": first.at.isoformat().replace("+00:00", "Z"),
        "site": site.key,
        "actor": {"type": "key", "name": "Deploy"},
        "object": {"type": "order", "id": "5"},
        "data": {"total_cents": 3},
    }
    assert body["next_after"] == 2


def test_the_cursor_reads_on_without_gaps_or_repeats(owner: ApiClient, site: Site) -> None:
    happen(owner.user, site, *["order.paid"] * 5)
    result, after = [], 0
    while items := (page := read(owner, after=after, limit=2))["items"]:
        result += [item["seq"] for item in items]
        after = page["next_after"]

    assert result == [1, 2, 3, 4, 5]
    assert after == page["next_after"] == 5


def test_types_and_groups_are_chosen(owner: ApiClient, site: Site) -> None:
    happen(owner.user, site, "order.pending", "listing.live", "listing.archived", "order_line.failed")

    assert [item["type"] for item in read(owner, types="order,listing.live")["items"]] == [
        "order.pending",
        "listing.live",
    ]


def test_events_of_other_types_are_not_read_again(owner: ApiClient, site: Site) -> None:
    happen(owner.user, site, "order.pending", "listing.live", "order.paid", "listing.archived")

    assert read(owner, types="order")["next_after"] == 4
    assert read(owner, types="order", limit=1)["next_after"] == 1
    assert read(owner, types="story", after=1) == {"items": [], "next_after": 4}
    happen(owner.user, site, "order.refunded")
    assert read(owner, types="order", after=4)["next_after"] == 5


def test_blanks_between_types_are_left_out(owner: ApiClient, site: Site) -> None:
    happen(owner.user, site, "order.pending", "listing.live")

    assert [item["type"] for item in read(owner, types=" order.pending,, listing,")["items"]] == [
        "order.pending",
        "listing.live",
    ]
    assert owner.get("/events", {"types": " , "}).json()["errors"][0]["code"] == "blank"


@pytest.mark.parametrize(
    ("types", "named"), [("nothing", ["draft", "order", "invoice"]), ("order,order.payed", ["order.paid"])]
)
def test_an_unknown_type_is_told_the_groups_or_the_types_of_its_group(
    owner: ApiClient, types: str, named: list[str]
) -> None:
    [error] = owner.get("/events", {"types": types}).json()["errors"]

    assert error["code"] == "unknown_type"
    told = error["detail"].rstrip(".").partition("Use one of: ")[2].split(", ")
    assert set(named) <= set(told)
    assert len(told) < len(TYPES)


@pytest.mark.parametrize("query", [{"types": "order.nothing"}, {"limit": 501}, {"after": -1}, {"wait_seconds": 26}])
def test_a_wrong_query_is_refused(owner: ApiClient, query: dict[str, Any]) -> None:
    answer = owner.get("/events", {name: str(value) for name, value in query.items()})

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == f"/{next(iter(query))}"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"after": "-1"}, "min_value"),
        ({"after": "9" * 30}, "max_value"),
        ({"limit": "0"}, "min_value"),
        ({"limit": "1000000000"}, "max_value"),
        ({"limit": "9" * 30}, "max_value"),
        ({"wait_seconds": "-1"}, "min_value"),
        ({"wait_seconds": "1000000"}, "max_value"),
        ({"after": "1e3"}, "digits"),
        ({"after": "\u0663"}, "digits"),
        ({"after": ""}, "digits"),
    ],
)
def test_a_number_out_of_bounds_is_told_the_bound(owner: ApiClient, query: dict[str, str], code: str) -> None:
    answer = owner.get("/events", query)

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == code


def test_a_position_after_the_last_event_is_refused(owner: ApiClient, other_owner: ApiClient, site: Site) -> None:
    happen(owner.user, site, "order.pending", "order.paid")

    assert read(owner, after=2) == {"items": [], "next_after": 2}
    for client, after in ((owner, 3), (other_owner, 2), (owner, 10**9 - 1)):
        answer = client.get("/events", {"after": str(after), "wait_seconds": "25"})
        assert answer.status_code == 422
        assert [(error["code"], error["pointer"]) for error in answer.json()["errors"]] == [
            ("unknown_position", "/after")
        ]


def test_the_last_position_stays_known_without_its_event(owner: ApiClient, site: Site) -> None:
    happen(owner.user, site, "order.pending", "order.paid")
    Event.objects.all().delete()

    assert read(owner, after=2) == {"items": [], "next_after": 2}


def test_another_accounts_events_are_not_shown(owner: ApiClient, other_owner: ApiClient, site: Site) -> None:
    happen(owner.user, site, "order.paid")

    assert read(other_owner) == {"items": [], "next_after": 0}


def test_the_admins_name_is_not_told(owner: ApiClient, site: Site, member: User) -> None:
    assert owner.user
    subject = Subject("listing", 5, owner.user.pk, site.pk)
    record("listing.suspended", subject, by=Actor(user=member, via="admin"))
    connection.check_constraints()

    assert read(owner)["items"][0]["actor"] == {"type": "site_admin", "name": ""}


@pytest.mark.django_db(transaction=True)
def test_a_key_that_is_revoked_while_it_waits_gets_nothing(
    owner: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def go_on(seconds: float) -> None:
        revoke_api_key(key=ApiKey.objects.get(user=owner.user))
        happen(owner.user, site, "order.paid")

    monkeypatch.setattr("apps.core.request.waiting.time.sleep", go_on)
    answer = owner.get("/events", {"wait_seconds": "25"})

    assert answer.status_code == 401
    assert Event.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_waiting_ends_with_the_next_event(owner: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    def go_on(seconds: float) -> None:
        pauses.append(seconds)
        happen(owner.user, site, "order.paid")

    monkeypatch.setattr("apps.core.request.waiting.time.sleep", go_on)
    body = read(owner, wait_seconds=25)

    assert [item["type"] for item in body["items"]] == ["order.paid"]
    assert len(pauses) == 1
