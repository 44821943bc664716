"""Refresh tokens: rotation, reuse, and giving tokens back."""

from typing import Any

import pytest
from django.utils import timezone
from oauth2_provider.models import get_access_token_model, get_refresh_token_model

from apps.accounts.models import Application, Connection
from tests.accounts.oauth.flow import (
    MCP,
    OWNER_SCOPES,
    REST,
    AuthorizationClient,
    Person,
    is_dead,
    named,
    out_of_order,
    program,
    refused,
    status_of,
)
from tests.accounts.people import wait
from tests.factories import api_key

pytestmark = pytest.mark.django_db

Changes = dict[str, str | list[str] | None]

WRONG: dict[str, tuple[Changes, int, str]] = {
    "unknown token": ({"refresh_token": "slrt_unknown"}, 400, "invalid_grant"),
    "empty token": ({"refresh_token": ""}, 400, "invalid_request"),
    "no token": ({"refresh_token": None}, 400, "invalid_request"),
    "token in other letters": ({"refresh_token": "ä\U0001f600"}, 400, "invalid_grant"),
    "long token": ({"refresh_token": "a" * 10_000}, 400, "invalid_grant"),
    "null character": ({"refresh_token": "a\x00b"}, 400, "invalid_request"),
    "token twice": ({"refresh_token": ["a", "b"]}, 400, "invalid_request"),
    "no client": ({"client_id": None}, 401, "invalid_client"),
    "unknown client": ({"client_id": "unknown"}, 401, "invalid_client"),
    "a secret": ({"client_secret": "guessed"}, 401, "invalid_client"),
    "wider scope": ({"scope": OWNER_SCOPES}, 400, "invalid_scope"),
    "another scope": ({"scope": "orders:write"}, 400, "invalid_scope"),
    "unknown scope": ({"scope": "admin"}, 400, "invalid_scope"),
    "wider and unknown scope": ({"scope": "account:read orders:write openid"}, 400, "invalid_scope"),
    "scope twice": ({"scope": ["account:read", "orders:write"]}, 400, "invalid_request"),
    "another resource": ({"resource": REST}, 400, "invalid_target"),
    "a foreign resource": ({"resource": "https://evil.example/"}, 400, "invalid_target"),
    "a second resource": ({"resource": [MCP, REST]}, 400, "invalid_target"),
    "another grant": ({"grant_type": "client_credentials"}, 400, "unsupported_grant_type"),
    "as a code": ({"grant_type": "authorization_code", "code": "a"}, 400, "invalid_grant"),
    "OpenID": ({"grant_type": "openid"}, 400, "unsupported_grant_type"),
    "large": ({"padding": "a" * 300_000}, 413, "invalid_request"),
}


@pytest.mark.parametrize(("changes", "status", "error"), [pytest.param(*case, id=name) for name, case in WRONG.items()])
def test_wrong_refreshes(
    changes: Changes, status: int, error: str, assistant: AuthorizationClient, person: Person
) -> None:
    tokens = person.connect(assistant, scope="account:read")
    answer = assistant.refresh(tokens["refresh_token"], **{**changes, "state": "<script>"})
    refused(answer, status=status, error=error)
    assert get_access_token_model().objects.count() == 1
    assert status_of(tokens["access_token"]) == 200
    assert assistant.refresh(tokens["refresh_token"]).json()["scope"] == "account:read"


def test_what_is_no_refresh_token(assistant: AuthorizationClient, person: Person) -> None:
    tokens, code = person.connect(assistant), person.allow(assistant)
    for other in (tokens["access_token"], code, api_key(person.user), assistant.client_id, assistant.verifier):
        refused(assistant.refresh(other), error="invalid_grant")
    assert status_of(tokens["refresh_token"]) == 401
    assert status_of(code) == 401


def test_another_client_cannot_refresh(assistant: AuthorizationClient, person: Person) -> None:
    tokens = person.connect(assistant)
    refused(AuthorizationClient.registered().refresh(tokens["refresh_token"]), error="invalid_grant")
    assert assistant.refresh(tokens["refresh_token"]).status_code == 200


def test_a_refresh_replaces_both_tokens(assistant: AuthorizationClient, person: Person) -> None:
    first = person.connect(assistant)
    second = assistant.refresh(first["refresh_token"]).json()
    assert {first["access_token"], first["refresh_token"]}.isdisjoint(second.values())
    assert (second["scope"], second["expires_in"]) == (OWNER_SCOPES, 3600)
    assert status_of(first["access_token"]) == 401
    assert status_of(second["access_token"]) == 200


def test_a_scope_given_up_does_not_come_back(assistant: AuthorizationClient, person: Person) -> None:
    tokens = person.connect(assistant)
    narrow = assistant.refresh(tokens["refresh_token"], scope="account:read").json()
    assert narrow["scope"] == "account:read"
    assert assistant.refresh(narrow["refresh_token"]).json()["scope"] == "account:read"


@pytest.mark.parametrize("scope", ["account:read offline_access", "openid email account:read", "offline_access", ""])
def test_a_refresh_may_repeat_scopes_that_were_never_granted(
    scope: str, assistant: AuthorizationClient, person: Person
) -> None:
    tokens = person.connect(assistant, scope="account:read")
    assert assistant.refresh(tokens["refresh_token"], scope=scope).json()["scope"] == "account:read"


@pytest.mark.parametrize("generations", [1, 3])
@pytest.mark.parametrize("by", ["the client", "another client", "the client for another resource"])
def test_a_used_token_ends_its_family_after_a_minute(
    generations: int, by: str, assistant: AuthorizationClient, person: Person, time_machine: Any
) -> None:
    other = person.connect(assistant)
    first = last = person.connect(assistant)
    time_machine.move_to(timezone.now(), tick=False)
    for _ in range(generations):
        last = assistant.refresh(last["refresh_token"]).json()
    wait(time_machine, seconds=60)
    shown = AuthorizationClient.registered() if by == "another client" else assistant
    refused(shown.refresh(first["refresh_token"], resource=REST if "resource" in by else MCP), error="invalid_grant")
    assert is_dead(last, assistant)
    assert status_of(other["access_token"]) == 200
    assert assistant.refresh(other["refresh_token"]).status_code == 200


@pytest.mark.parametrize("generations", [1, 3])
def test_a_token_used_again_within_a_minute_gets_an_answer_of_its_own(
    generations: int, assistant: AuthorizationClient, person: Person, time_machine: Any
) -> None:
    first = last = person.connect(assistant)
    time_machine.move_to(timezone.now(), tick=False)
    for _ in range(generations):
        last = assistant.refresh(last["refresh_token"]).json()
    wait(time_machine, seconds=59)
    repeated = [assistant.refresh(first["refresh_token"]).json() for _ in range(3)]
    assert len({tokens["access_token"] for tokens in [first, last, *repeated]}) == 5
    for tokens in [last, *repeated]:
        assert (tokens["scope"], status_of(tokens["access_token"])) == (OWNER_SCOPES, 200)
        assert assistant.refresh(tokens["refresh_token"]).status_code == 200
    assert get_refresh_token_model().objects.values("token_family").distinct().count() == 1


def test_repeating_does_not_prolong_the_minute(
    assistant: AuthorizationClient, person: Person, time_machine: Any
) -> None:
    first = person.connect(assistant)
    time_machine.move_to(timezone.now(), tick=False)
    answers = [assistant.refresh(first["refresh_token"]).json()]
    for _ in range(2):
        wait(time_machine, seconds=29)
        answers.append(assistant.refresh(first["refresh_token"]).json())
    wait(time_machine, seconds=2)
    refused(assistant.refresh(first["refresh_token"]), error="invalid_grant")
    assert all(is_dead(tokens, assistant) for tokens in answers)


def test_another_client_has_no_minute(assistant: AuthorizationClient, person: Person) -> None:
    first = person.connect(assistant)
    second = assistant.refresh(first["refresh_token"]).json()
    refused(AuthorizationClient.registered().refresh(first["refresh_token"]), error="invalid_grant")
    assert is_dead(second, assistant)


def test_a_wrong_repetition_revokes_nothing(assistant: AuthorizationClient, person: Person) -> None:
    first = person.connect(assistant, scope="account:read")
    second = assistant.refresh(first["refresh_token"]).json()
    refused(assistant.refresh(first["refresh_token"], resource=REST), error="invalid_target")
    refused(assistant.refresh(first["refresh_token"], scope=OWNER_SCOPES), error="invalid_scope")
    assert status_of(second["access_token"]) == 200


def test_a_repetition_does_not_bring_scopes_back(assistant: AuthorizationClient, person: Person) -> None:
    first = person.connect(assistant)
    narrow = assistant.refresh(first["refresh_token"], scope="account:read").json()
    assert assistant.refresh(first["refresh_token"]).json()["scope"] == "account:read"
    assert assistant.refresh(narrow["refresh_token"]).json()["scope"] == "account:read"
    refused(assistant.refresh(first["refresh_token"], scope=OWNER_SCOPES), error="invalid_scope")


@pytest.mark.parametrize("by", ["disconnecting", "giving back", "unticking", "deactivating"])
def test_no_minute_for_what_was_ended(by: str, assistant: AuthorizationClient, person: Person) -> None:
    first = person.connect(assistant)
    second = assistant.refresh(first["refresh_token"]).json()
    match by:
        case "disconnecting":
            person.browser.post(f"/account/apps/{Connection.objects.get().pk}/disconnect")
        case "giving back":
            assistant.revoke(second["refresh_token"])
        case "unticking":
            person.allow(assistant, scope="account:read")
        case "deactivating":
            person.user.is_active = False
            person.user.save()
    refused(assistant.refresh(first["refresh_token"]), error="invalid_grant")
    assert is_dead(second, assistant)


def test_thirty_days_after_the_last_use(assistant: AuthorizationClient, person: Person, time_machine: Any) -> None:
    tokens = person.connect(assistant)
    wait(time_machine, days=30, minutes=59)
    tokens = assistant.refresh(tokens["refresh_token"]).json()
    wait(time_machine, days=30, minutes=61)
    refused(assistant.refresh(tokens["refresh_token"]), error="invalid_grant")
    assert status_of(tokens["access_token"]) == 401


def test_a_deactivated_account(assistant: AuthorizationClient, person: Person) -> None:
    tokens = person.connect(assistant)
    person.user.is_active = False
    person.user.save()
    assert status_of(tokens["access_token"]) == 401
    refused(assistant.refresh(tokens["refresh_token"]), error="invalid_grant")


def test_a_deleted_account(assistant: AuthorizationClient, person: Person) -> None:
    tokens = person.connect(assistant)
    person.user.delete()
    assert is_dead(tokens, assistant)
    assert not Connection.objects.exists()


def test_a_blocked_client(assistant: AuthorizationClient, person: Person) -> None:
    tokens = person.connect(assistant)
    Application.objects.update(is_active=False)
    assert status_of(tokens["access_token"]) == 401
    refused(assistant.refresh(tokens["refresh_token"]), status=401, error="invalid_client")
    refused(assistant.revoke(tokens["refresh_token"]), status=401, error="invalid_client")
    Application.objects.update(is_active=True)
    assert status_of(tokens["access_token"]) == 200


def test_a_deleted_client(assistant: AuthorizationClient, person: Person) -> None:
    tokens = person.connect(assistant)
    Application.objects.all().delete()
    assert status_of(tokens["access_token"]) == 401
    refused(assistant.refresh(tokens["refresh_token"]), status=401)


# ---- giving tokens back ----

WRONG_REVOCATIONS: dict[str, tuple[Changes, int, str]] = {
    "no token": ({"token": None}, 400, "invalid_request"),
    "empty token": ({"token": ""}, 400, "invalid_request"),
    "token twice": ({"token": ["a", "b"]}, 400, "invalid_request"),
    "null character": ({"token": "a\x00b"}, 400, "invalid_request"),
    "no client": ({"client_id": None}, 401, "invalid_client"),
    "empty client": ({"client_id": ""}, 401, "invalid_client"),
    "unknown client": ({"client_id": "unknown"}, 401, "invalid_client"),
    "null character in the client": ({"client_id": "\x00"}, 400, "invalid_request"),
    "a secret": ({"client_secret": "guessed"}, 401, "invalid_client"),
    "large": ({"padding": "a" * 300_000}, 413, "invalid_request"),
}


@pytest.mark.parametrize(
    ("changes", "status", "error"), [pytest.param(*case, id=name) for name, case in WRONG_REVOCATIONS.items()]
)
def test_wrong_revocations(
    changes: Changes, status: int, error: str, assistant: AuthorizationClient, person: Person
) -> None:
    tokens = person.connect(assistant)
    answer = assistant.revoke(tokens["refresh_token"], **{**changes, "state": "<script>"})
    refused(answer, status=status, error=error)
    assert b"<script>" not in answer.content
    assert status_of(tokens["access_token"]) == 200


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", ""])
def test_revocations_are_forms(content_type: str, assistant: AuthorizationClient, person: Person) -> None:
    token = person.connect(assistant)["access_token"]
    body = f"token={token}&client_id={assistant.client_id}".encode()
    refused(program().generic("POST", "/oauth/revoke", body, content_type=content_type), error="invalid_request")
    assert status_of(token) == 200


@pytest.mark.parametrize("shown", ["access_token", "refresh_token"])
@pytest.mark.parametrize("hint", [None, "access_token", "refresh_token", "nonsense", "", "ä"])
def test_either_token_ends_both(shown: str, hint: str | None, assistant: AuthorizationClient, person: Person) -> None:
    tokens = person.connect(assistant)
    answer = assistant.revoke(tokens[shown], token_type_hint=hint)
    assert (answer.status_code, answer.content) == (200, b"")
    assert is_dead(tokens, assistant)
    assert not Connection.objects.exists()
    assert assistant.revoke(tokens[shown]).status_code == 200


def test_a_rotated_token_ends_its_successors_too(assistant: AuthorizationClient, person: Person) -> None:
    first = person.connect(assistant)
    second = assistant.refresh(first["refresh_token"]).json()
    assert assistant.revoke(first["refresh_token"]).status_code == 200
    assert is_dead(second, assistant)


def test_the_other_connection_of_a_client_stays(assistant: AuthorizationClient, person: Person) -> None:
    mcp, rest = person.connect(assistant), person.connect(assistant, resource=REST)
    assistant.revoke(mcp["refresh_token"])
    assert is_dead(mcp, assistant)
    assert status_of(rest["access_token"], REST) == 200
    assert assistant.refresh(rest["refresh_token"]).status_code == 200
    assert Connection.objects.count() == 1


@pytest.mark.parametrize("shown", ["access_token", "refresh_token"])
def test_another_client_ends_nothing(shown: str, assistant: AuthorizationClient, person: Person) -> None:
    tokens = person.connect(assistant)
    thief = AuthorizationClient.registered()
    assert thief.revoke(tokens[shown]).status_code == 200
    assert status_of(tokens["access_token"]) == 200
    assert assistant.refresh(tokens["refresh_token"]).status_code == 200


def test_what_is_no_token_ends_nothing(assistant: AuthorizationClient, person: Person) -> None:
    tokens, key = person.connect(assistant), api_key(person.user)
    row = get_refresh_token_model().objects.get()
    for unknown in ("unknown", key, row.token_checksum, str(row.token_family), assistant.client_id, "ä", "%"):
        assert assistant.revoke(unknown).status_code == 200
    assert status_of(key) == 200
    assert status_of(tokens["access_token"]) == 200


@pytest.mark.parametrize(
    "fields", named({"many": {f"f{n}": "" for n in range(1001)}, "one twice": {"token": ["a", "a"]}})
)
def test_odd_forms_end_nothing(fields: Changes, assistant: AuthorizationClient, person: Person) -> None:
    tokens = person.connect(assistant)
    answer = assistant.revoke(tokens["access_token"], **fields)
    refused(answer, status=413 if len(fields) > 1 else 400)
    assert status_of(tokens["access_token"]) == 200


@pytest.mark.slow
def test_a_client_gets_its_answers_120_times_a_minute(assistant: AuthorizationClient) -> None:
    for number in range(60):
        refused(assistant.refresh("unknown"), error="invalid_grant")
        answer = assistant.revoke("unknown")
        assert answer.status_code == 200
        assert answer["RateLimit-Policy"] == '"token-requests";q=120;w=60'
        assert answer["RateLimit"].startswith(f'"token-requests";r={118 - 2 * number};t=')
    for answer in (assistant.refresh("unknown"), assistant.revoke("unknown")):
        refused(answer, status=429)
        assert 0 < int(answer["Retry-After"]) <= 60
        assert answer["RateLimit"] == f'"token-requests";r=0;t={answer["Retry-After"]}'


def test_an_outage_of_the_counters_signs_nobody_out(
    assistant: AuthorizationClient, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = person.connect(assistant)
    monkeypatch.setattr("apps.core.stores.valkey.counters.script", out_of_order)
    tokens = assistant.refresh(tokens["refresh_token"]).json()
    assert status_of(tokens["access_token"]) == 200
    assert assistant.revoke(tokens["refresh_token"]).status_code == 200
