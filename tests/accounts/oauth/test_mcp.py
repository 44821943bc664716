"""That access is over for /mcp too, over HTTP and with the very next message."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

import httpx2
import pytest
import time_machine
from django.utils import timezone

from apps.accounts.models import Application, Connection, User
from tests.accounts.oauth.flow import AuthorizationClient, Person, ticket_of
from tests.mcp.clients import VERSIONS, call_message, post
from tests.mcp.conftest import World, base_url, world
from tests.mcp.test_transport import of_version
from tests.waiting import PATIENCE_SECONDS

__all__ = ["base_url", "world"]

pytestmark = pytest.mark.django_db

ORIGIN = "http://127.0.0.1"


@dataclass
class Access:
    """What a client has of a person: a code that was spent, and two generations of tokens."""

    person: Person
    client: AuthorizationClient
    code: str
    first: dict[str, Any]
    second: dict[str, Any]


def connect(user: User, resource: str) -> Access:
    person, client = Person(User.objects.get(pk=user.pk)), AuthorizationClient.registered()
    code = person.allow(client, resource=resource)
    first = client.redeem(code).json()
    return Access(person, client, code, first, client.refresh(first["refresh_token"]).json())


def later(call: Callable[[str], object], credential: str) -> None:
    """Show a used credential when it can no longer be a repeated request."""
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        call(credential)


def disconnect(access: Access) -> None:
    connection = Connection.objects.get(application__client_id=access.client.client_id)
    access.person.browser.post(f"/account/apps/{connection.pk}/disconnect")


ENDS: dict[str, Callable[[Access], object]] = {
    "disconnected": disconnect,
    "given back": lambda access: access.client.revoke(access.second["refresh_token"]),
    "access token given back": lambda access: access.client.revoke(access.second["access_token"]),
    "rotated": lambda access: access.client.refresh(access.second["refresh_token"]),
    "refresh token shown again": lambda access: later(access.client.refresh, access.first["refresh_token"]),
    "code shown again": lambda access: later(access.client.redeem, access.code),
    "client blocked": lambda access: Application.objects.filter(client_id=access.client.client_id).update(
        is_active=False
    ),
    "client deleted": lambda access: Application.objects.filter(client_id=access.client.client_id).delete(),
}


def statuses(base_url: str, token: str) -> tuple[int, int, int]:
    """Status of a tool call, of a listing of tools, and of REST."""
    headers = {"authorization": f"Bearer {token}"}
    messages = (call_message("list_my_listings"), {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    call, listing = (post(base_url, message, **headers).status_code for message in messages)
    rest = httpx2.get(f"{base_url}/api/v1/me/listings", headers=headers, timeout=PATIENCE_SECONDS)
    return call, listing, rest.status_code


@pytest.mark.slow
@pytest.mark.parametrize("end", [pytest.param(end, id=name) for name, end in ENDS.items()])
def test_the_very_next_message_is_refused(end: Callable[[Access], object], base_url: str, world: World) -> None:
    mcp = world.committed(lambda: connect(world.owner, f"{ORIGIN}/mcp"))
    rest = world.committed(lambda: connect(world.owner, f"{ORIGIN}/api/v1"))
    assert statuses(base_url, mcp.second["access_token"]) == (200, 200, 401)
    assert statuses(base_url, rest.second["access_token"]) == (401, 401, 200)
    for access in (mcp, rest):
        world.committed(partial(end, access))
        assert statuses(base_url, access.second["access_token"]) == (401, 401, 401)


@pytest.mark.slow
def test_nor_does_a_deactivated_account(base_url: str, world: World) -> None:
    access = world.committed(lambda: connect(world.owner, f"{ORIGIN}/mcp"))
    world.committed(lambda: User.objects.filter(pk=world.owner.pk).update(is_active=False))
    try:
        assert statuses(base_url, access.second["access_token"]) == (401, 401, 401)
        assert statuses(base_url, world.key) == (401, 401, 401)
    finally:
        world.committed(lambda: User.objects.filter(pk=world.owner.pk).update(is_active=True))
    assert statuses(base_url, access.second["access_token"]) == (200, 200, 401)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("resource", ["http://testserver.localhost/mcp", f"{ORIGIN}/api/v1", "http://localhost/mcp"])
def test_tokens_for_elsewhere_are_refused(version: str, resource: str, base_url: str, world: World) -> None:
    token = world.committed(lambda: connect(world.owner, resource)).second["access_token"]
    for message in (call_message("list_my_listings"), call_message("search_listings")):
        sent, headers = of_version(message, version)
        answer = post(base_url, sent, **headers, authorization=f"Bearer {token}")
        assert answer.status_code == 401
        assert (
            f'resource_metadata="{ORIGIN}/.well-known/oauth-protected-resource/mcp"'
            in answer.headers["www-authenticate"]
        )


@pytest.mark.parametrize("place", ["?access_token={}", "?token={}", "?authorization=Bearer%20{}"])
def test_tokens_in_the_address_are_not_read(place: str, base_url: str, world: World) -> None:
    token = world.committed(lambda: connect(world.owner, f"{ORIGIN}/mcp")).second["access_token"]
    accept = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    answer = httpx2.post(
        f"{base_url}/mcp{place.format(token)}",
        json=call_message("list_my_listings"),
        headers=accept,
        timeout=PATIENCE_SECONDS,
    )
    assert answer.status_code == 401


@pytest.mark.slow
def test_secrets_of_other_kinds_open_nothing(base_url: str, world: World) -> None:
    access = world.committed(lambda: connect(world.owner, f"{ORIGIN}/mcp"))
    unspent = world.committed(lambda: access.person.allow(access.client, resource=f"{ORIGIN}/mcp"))
    ticket = world.committed(lambda: ticket_of(access.person.ask(access.client)))
    session = access.person.browser.session.session_key or ""
    for other in (access.second["refresh_token"], unspent, ticket, session, access.client.client_id):
        assert statuses(base_url, other) == (401, 401, 401)
