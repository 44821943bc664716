"""What a person sees of the clients they let in, and ending that."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import get_access_token_model, get_grant_model, get_refresh_token_model

from apps.accounts.models import ApiKey, Application, Connection
from apps.accounts.tasks import delete_oauth_leftovers
from apps.core.api.scopes import SCOPE_TEXTS, Scope
from tests.accounts.oauth.flow import (
    CALLBACK,
    HOST,
    MCP,
    REST,
    AuthorizationClient,
    Person,
    answer_of,
    is_dead,
    program,
    refused,
    status_of,
)
from tests.accounts.people import wait
from tests.factories import api_key

pytestmark = pytest.mark.django_db

PAGE = "/account/apps"


def shown(person: Person) -> str:
    """The main part of the page with the connected apps."""
    page: str = person.browser.get(PAGE).content.decode()
    return page.partition("<main")[2].partition("</main>")[0]


def disconnect(person: Person, connection: Connection) -> Any:
    return person.browser.post(f"{PAGE}/{connection.pk}/disconnect")


def test_only_ones_own_apps_are_shown(person: Person, stranger: Person) -> None:
    mine, theirs = (AuthorizationClient.registered(client_name=name) for name in ("My reader", "Their writer"))
    person.connect(mine, scope="account:read")
    stranger.connect(theirs)
    page = shown(person)
    assert "My reader" in page
    assert SCOPE_TEXTS[Scope.ACCOUNT_READ] in page
    assert "Not verified" in page
    assert "Their writer" not in page
    assert SCOPE_TEXTS[Scope.LISTINGS_WRITE] not in page


def test_scopes_are_those_of_all_its_tokens(assistant: AuthorizationClient, person: Person) -> None:
    for asked in ({"scope": "account:read"}, {"scope": "orders:write", "resource": REST}):
        page = person.ask(assistant, **asked)
        assert assistant.redeem(answer_of(person.decide(page))["code"]).status_code == 200
    page = shown(person)
    assert page.count("<form") == 1
    assert SCOPE_TEXTS[Scope.ACCOUNT_READ] in page
    assert SCOPE_TEXTS[Scope.ORDERS_WRITE] in page
    assert SCOPE_TEXTS[Scope.LISTINGS_WRITE] not in page


def test_the_last_use_is_shown(assistant: AuthorizationClient, person: Person, time_machine: Any) -> None:
    token = person.connect(assistant)["access_token"]
    assert "never used" in shown(person)
    time_machine.move_to(timezone.now() + timedelta(minutes=5), tick=False)
    assert status_of(token) == 200
    assert "last used <time" in shown(person)


def test_what_is_not_connected_is_not_shown(assistant: AuthorizationClient, person: Person) -> None:
    api_key(person.user)
    person.decide(person.ask(assistant), "deny")
    person.allow(assistant)
    page = shown(person)
    assert "No connected apps" in page
    assert "test key" not in page


@pytest.mark.parametrize("resource", [MCP, REST])
def test_one_click_disconnects_at_once(resource: str, assistant: AuthorizationClient, person: Person) -> None:
    tokens, other = person.connect(assistant, resource=resource), person.connect(assistant)
    code, ticket = person.allow(assistant), person.ask(assistant)
    assert status_of(tokens["access_token"], resource) == 200
    [action] = re.findall(r'<form action="([^"]+/disconnect)" method="post"', shown(person))
    answer = person.browser.post(action)
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    for pair in (tokens, other):
        assert status_of(pair["access_token"], resource) == 401
        refused(assistant.refresh(pair["refresh_token"]), error="invalid_grant")
    refused(assistant.redeem(code), error="invalid_grant")
    assert "Unverified app at assistant.example.com disconnected" in shown(person)
    assert "No connected apps" in shown(person)
    assert disconnect(person, Connection(pk=int(action.split("/")[-2]))).status_code == 404
    # A consent page that is still open asks for access anew.
    assert person.decide(ticket).status_code == 302


def test_others_connections_stay(assistant: AuthorizationClient, person: Person, stranger: Person) -> None:
    tokens, theirs = person.connect(assistant), stranger.connect(assistant)
    unrelated = AuthorizationClient.registered(client_name="Another")
    kept = person.connect(unrelated)
    assert disconnect(person, Connection.objects.get(user=stranger.user)).status_code == 404
    assert disconnect(person, Connection(pk=987654321)).status_code == 404
    assert status_of(theirs["access_token"]) == 200
    key = api_key(person.user)
    connection = Connection.objects.get(user=person.user, application__client_id=assistant.client_id)
    assert disconnect(person, connection).status_code == 302
    assert status_of(tokens["access_token"]) == 401
    assert [status_of(token) for token in (theirs["access_token"], kept["access_token"], key)] == [200] * 3


def test_only_the_person_disconnects(assistant: AuthorizationClient, person: Person) -> None:
    tokens = person.connect(assistant)
    path = f"{PAGE}/{Connection.objects.get().pk}/disconnect"
    for method in ("get", "head", "put", "patch", "delete", "options"):
        assert getattr(person.browser, method)(path).status_code == 405
    assert program().post(path)["Location"].startswith("/account/sign-in")
    assert program().get(PAGE)["Location"].startswith("/account/sign-in")
    forged = Client(enforce_csrf_checks=True, headers={"host": HOST})
    forged.force_login(person.user)
    assert forged.post(path, headers={"Origin": "https://evil.example"}).status_code == 403
    by_token = program().post(path, headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert by_token["Location"].startswith("/account/sign-in")
    for odd in ("-1", "0", "1e3", "%00", "9" * 30):
        assert person.browser.post(f"{PAGE}/{odd}/disconnect").status_code == 404
    assert status_of(tokens["access_token"]) == 200


def test_connecting_again_after_a_disconnect(assistant: AuthorizationClient, person: Person) -> None:
    old = person.connect(assistant)
    disconnect(person, Connection.objects.get())
    new = person.connect(assistant)
    assert is_dead(old, assistant)
    assert status_of(new["access_token"]) == 200


def test_a_client_that_gives_its_tokens_back_is_gone(assistant: AuthorizationClient, person: Person) -> None:
    assistant.revoke(person.connect(assistant)["access_token"])
    assert "No connected apps" in shown(person)


# ---- the sweep ----


def test_the_sweep_keeps_what_lives(assistant: AuthorizationClient, person: Person, time_machine: Any) -> None:
    key = api_key(person.user)
    first = person.connect(assistant)
    wait(time_machine, days=29)
    tokens = assistant.refresh(first["refresh_token"]).json()
    wait(time_machine, days=29)
    delete_oauth_leftovers()
    assert status_of(key) == 200
    tokens = assistant.refresh(tokens["refresh_token"]).json()
    for _ in range(4):
        wait(time_machine, days=29)
        delete_oauth_leftovers()
        tokens = assistant.refresh(tokens["refresh_token"]).json()
    assert status_of(tokens["access_token"]) == 200
    assert Application.objects.get().created < timezone.now() - timedelta(days=120)


def test_the_sweep_keeps_what_was_just_allowed(
    assistant: AuthorizationClient, person: Person, time_machine: Any
) -> None:
    person.allow(assistant)
    wait(time_machine, days=100)
    person.browser.force_login(person.user)
    code, page = person.allow(assistant), person.ask(assistant)
    delete_oauth_leftovers()
    assert assistant.redeem(code).status_code == 200
    assert person.decide(page).status_code == 302


def test_the_sweep_keeps_what_reuse_shows_by(assistant: AuthorizationClient, person: Person, time_machine: Any) -> None:
    first = person.connect(assistant)
    second = assistant.refresh(first["refresh_token"]).json()
    wait(time_machine, days=20)
    delete_oauth_leftovers()
    refused(assistant.refresh(first["refresh_token"]), error="invalid_grant")
    refused(assistant.refresh(second["refresh_token"]), error="invalid_grant")


def test_the_sweep_keeps_the_history_of_keys(person: Person, time_machine: Any) -> None:
    api_key(person.user)
    wait(time_machine, days=400)
    delete_oauth_leftovers()
    assert (ApiKey.objects.get().name, ApiKey.objects.get().state) == ("test key", ApiKey.State.EXPIRED)


def test_the_sweep_keeps_clients_blocked(assistant: AuthorizationClient, time_machine: Any) -> None:
    Application.objects.update(is_active=False)
    wait(time_machine, days=400)
    delete_oauth_leftovers()
    assert Application.objects.get().client_id == assistant.client_id


def test_the_sweep_removes_what_has_ended(assistant: AuthorizationClient, person: Person, time_machine: Any) -> None:
    AuthorizationClient.registered(client_name="Never used")
    person.connect(assistant)
    assistant.refresh(person.connect(assistant)["refresh_token"])
    person.allow(assistant)
    wait(time_machine, minutes=2)
    delete_oauth_leftovers()
    assert not get_grant_model().objects.exists()
    assert (Connection.objects.count(), Application.objects.count()) == (1, 2)
    wait(time_machine, days=32)
    delete_oauth_leftovers()
    assert not get_refresh_token_model().objects.exists()
    assert not get_access_token_model().objects.exists()
    assert Application.objects.count() == 2
    wait(time_machine, days=60)
    delete_oauth_leftovers()
    assert not Connection.objects.exists()
    assert not Application.objects.exists()


def test_the_sweep_keeps_clients_that_somebody_uses(
    assistant: AuthorizationClient, person: Person, stranger: Person, time_machine: Any
) -> None:
    person.connect(assistant)
    wait(time_machine, days=120)
    stranger.browser.force_login(stranger.user)
    theirs = stranger.connect(assistant)
    delete_oauth_leftovers()
    assert [connection.user for connection in Connection.objects.all()] == [stranger.user]
    assert status_of(theirs["access_token"]) == 200
    assert Application.objects.get().redirect_uris == CALLBACK


def test_unticking_takes_away_what_was_allowed_before(assistant: AuthorizationClient, person: Person) -> None:
    before = person.connect(assistant)
    after = person.connect(assistant, scope="account:read")
    assert is_dead(before, assistant)
    assert after["scope"] == "account:read"
    assert status_of(after["access_token"], MCP) == 200


def test_asking_for_less_leaves_other_devices_alone(assistant: AuthorizationClient, person: Person) -> None:
    before = person.connect(assistant)
    answer = assistant.redeem(answer_of(person.decide(person.ask(assistant, scope="account:read")))["code"])
    assert answer.json()["scope"] == "account:read"
    assert status_of(before["access_token"], MCP) == 200
