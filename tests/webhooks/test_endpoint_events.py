"""Changes of endpoints are in the event log, with who made them."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client

from apps.accounts.models import User
from apps.events.models import Event
from apps.events.types import TYPES, types_of
from apps.sites.models import Site
from apps.webhooks import services
from apps.webhooks.delivery.sending import send_due
from apps.webhooks.models import Endpoint
from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, created
from tests.webhooks.happening import happen
from tests.webhooks.receiver import Receiver

pytestmark = pytest.mark.django_db


def endpoint_events() -> list[Event]:
    return list(Event.objects.filter(object_type="webhook_endpoint").order_by("pk"))


def test_every_change_is_an_event_with_its_actor(owner: ApiClient, account: User) -> None:
    path = f"{PATH}/{created(owner)['id']}"
    owner.patch(path, {"url": "https://other.example/hidden-part", "types": ["order"]})
    owner.patch(path, {"status": "paused"})
    owner.patch(path, {"status": "paused", "types": ["order"]})
    owner.patch(path, {"status": "active", "name": "Books"})
    owner.post(f"{path}/rotate-secret")
    owner.delete(path)

    events = endpoint_events()
    assert [(event.type.partition(".")[2], event.data.get("fields")) for event in events] == [
        ("created", None),
        ("changed", ["url", "types"]),
        ("paused", None),
        ("changed", ["name"]),
        ("resumed", None),
        ("secret_rotated", None),
        ("deleted", None),
    ]
    assert [event.data["host"] for event in events] == ["hooks.example"] + ["other.example"] * 6
    assert {(event.account_id, event.actor_id, event.via, event.credential) for event in events} == {
        (account.pk, account.pk, "key", "test key")
    }
    assert all(event.data.keys() == TYPES[event.type].data.keys() for event in events)
    assert {event.type for event in events} | {"webhook_endpoint.disabled"} == set(types_of("webhook_endpoint"))


def test_gone_is_an_event_of_the_service(account: User, site: Site, receiver: Receiver) -> None:
    services.create_webhook_endpoint(account=account, url=receiver.url)
    receiver.answer = lambda _: (410, {}, b"")
    happen(account, site, "order.paid")
    send_due()

    assert [(event.type, event.via) for event in endpoint_events()][1:] == [("webhook_endpoint.disabled", "system")]


def test_an_endpoint_is_told_of_itself_and_of_others(account: User, receiver: Receiver, owner: ApiClient) -> None:
    first = created(owner, url=receiver.url)
    second = created(owner)
    owner.delete(f"{PATH}/{second['id']}")
    connection.check_constraints()
    send_due()

    told: list[Any] = [(each.event["type"], each.event["object"]["id"]) for each in receiver.received]
    assert sorted(told) == [
        ("webhook_endpoint.created", str(first["id"])),
        ("webhook_endpoint.created", str(second["id"])),
        ("webhook_endpoint.deleted", str(second["id"])),
    ]


def test_site_admins_changes_are_events_without_an_account(team: Client, member: User, site: Site) -> None:
    sent = {"site": site.pk, "url": "https://hooks.example/in", "format": "standard", "signature": "v1"}
    assert team.post("/admin/webhooks/endpoint/add/", sent).status_code == 200
    endpoint = Endpoint.objects.get()
    team.post("/admin/webhooks/endpoint/", {"action": "pause", "_selected_action": [endpoint.pk], "confirmed": "yes"})
    team.post(f"/admin/webhooks/endpoint/{endpoint.pk}/delete/", {"post": "yes"})

    events = endpoint_events()
    assert [event.type.partition(".")[2] for event in events] == ["created", "paused", "deleted"]
    assert {(event.account_id, event.seq, event.actor_id, event.via, event.site_id) for event in events} == {
        (None, None, member.pk, "admin", site.pk)
    }


def test_an_account_that_is_deleted_leaves_no_event_of_it(account: User) -> None:
    services.create_webhook_endpoint(account=account, url="https://hooks.example/in")
    services.delete_account_endpoints(account=account)

    assert not Endpoint.objects.exists()
    assert [event.type for event in endpoint_events()] == ["webhook_endpoint.created"]
