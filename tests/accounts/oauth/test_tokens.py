"""Codes for tokens: every wrong way to redeem one, and what a token is good for."""

import base64
import logging
from typing import Any

import orjson
import pytest
from django.db import connection
from django.utils import timezone
from oauth2_provider.models import get_access_token_model, get_grant_model, get_refresh_token_model

from apps.accounts.models import Application, Connection
from tests.accounts.oauth.flow import (
    CALLBACK,
    HOST,
    MCP,
    OWNER_SCOPES,
    REST,
    AuthorizationClient,
    Person,
    is_dead,
    named,
    program,
    refused,
    register,
    status_of,
)
from tests.accounts.people import wait

pytestmark = pytest.mark.django_db

Changes = dict[str, str | list[str] | None]
FORM = "application/x-www-form-urlencoded"


def no_token_was_made() -> bool:
    return not (get_access_token_model().objects.exists() or get_refresh_token_model().objects.exists())


WRONG: dict[str, tuple[Changes, int, str]] = {
    "unknown code": ({"code": "a" * 30}, 400, "invalid_grant"),
    "empty code": ({"code": ""}, 400, "invalid_request"),
    "no code": ({"code": None}, 400, "invalid_request"),
    "long code": ({"code": "a" * 10_000}, 400, "invalid_grant"),
    "code in other letters": ({"code": "ä€\U0001f600"}, 400, "invalid_grant"),
    "code twice": ({"code": ["a", "b"]}, 400, "invalid_request"),
    "wrong verifier": ({"code_verifier": "a" * 43}, 400, "invalid_grant"),
    "empty verifier": ({"code_verifier": ""}, 400, "invalid_request"),
    "no verifier": ({"code_verifier": None}, 400, "invalid_request"),
    "verifier in other letters": ({"code_verifier": "ä" * 43}, 400, "invalid_grant"),
    "verifier twice": ({"code_verifier": ["a" * 43, "b" * 43]}, 400, "invalid_request"),
    "no client": ({"client_id": None}, 401, "invalid_client"),
    "empty client": ({"client_id": ""}, 401, "invalid_client"),
    "unknown client": ({"client_id": "unknown"}, 401, "invalid_client"),
    "unread document": ({"client_id": "https://client.example.com/client.json"}, 401, "invalid_client"),
    "client twice": ({"client_id": ["a", "b"]}, 400, "invalid_request"),
    "a secret": ({"client_secret": "guessed"}, 401, "invalid_client"),
    "another redirect address": ({"redirect_uri": "https://evil.example/"}, 400, "invalid_grant"),
    "a slash more": ({"redirect_uri": f"{CALLBACK}/"}, 400, "invalid_grant"),
    "another case": ({"redirect_uri": CALLBACK.upper()}, 400, "invalid_grant"),
    "redirect address twice": ({"redirect_uri": [CALLBACK, CALLBACK]}, 400, "invalid_request"),
    "another resource": ({"resource": REST}, 400, "invalid_target"),
    "a foreign resource": ({"resource": "https://evil.example/mcp"}, 400, "invalid_target"),
    "the resource of another host": ({"resource": "http://other.localhost/mcp"}, 400, "invalid_target"),
    "a second resource": ({"resource": [MCP, REST]}, 400, "invalid_target"),
    "a resource in other letters": ({"resource": "ä"}, 400, "invalid_target"),
    "a bad resource": ({"resource": "http://[::1"}, 400, "invalid_target"),
    "no grant type": ({"grant_type": None}, 400, "invalid_request"),
    "empty grant type": ({"grant_type": ""}, 400, "invalid_request"),
    "grant type twice": ({"grant_type": ["authorization_code", "password"]}, 400, "invalid_request"),
    "another case of the grant type": ({"grant_type": "Authorization_Code"}, 400, "unsupported_grant_type"),
    "client credentials": ({"grant_type": "client_credentials"}, 400, "unsupported_grant_type"),
    "password": ({"grant_type": "password", "username": "a", "password": "b"}, 400, "unsupported_grant_type"),
    "implicit": ({"grant_type": "implicit"}, 400, "unsupported_grant_type"),
    "OpenID": ({"grant_type": "openid"}, 400, "unsupported_grant_type"),
    "device": ({"grant_type": "urn:ietf:params:oauth:grant-type:device_code"}, 400, "unsupported_grant_type"),
    "assertion": ({"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer"}, 400, "unsupported_grant_type"),
    "exchange": ({"grant_type": "urn:ietf:params:oauth:grant-type:token-exchange"}, 400, "unsupported_grant_type"),
    "refresh without a token": ({"grant_type": "refresh_token"}, 400, "invalid_request"),
    "null character in the code": ({"code": "a\x00b"}, 400, "invalid_request"),
    "null character in the client": ({"client_id": "a\x00b"}, 400, "invalid_request"),
    "null character in the verifier": ({"code_verifier": "a\x00b"}, 400, "invalid_request"),
    "null character in a name": ({"a\x00b": "c"}, 400, "invalid_request"),
    "large": ({"padding": "a" * 300_000}, 413, "invalid_request"),
    "many fields": ({f"f{number}": "" for number in range(1001)}, 413, "invalid_request"),
}


@pytest.mark.parametrize(("changes", "status", "error"), [pytest.param(*case, id=name) for name, case in WRONG.items()])
def test_wrong_redemptions(
    changes: Changes, status: int, error: str, assistant: AuthorizationClient, person: Person
) -> None:
    code = person.allow(assistant)
    answer = assistant.redeem(code, **{**changes, "state": "<script>alert(1)</script>"})
    refused(answer, status=status, error=error)
    assert b"<script>" not in answer.content
    assert no_token_was_made()
    assert assistant.redeem(code).status_code == 200


def test_a_code_of_another_client(assistant: AuthorizationClient, person: Person) -> None:
    code = person.allow(assistant)
    thief = AuthorizationClient.registered()
    thief.verifier = assistant.verifier
    refused(thief.redeem(code), error="invalid_grant")
    assert no_token_was_made()


def test_the_redirect_address_may_be_left_out(person: Person) -> None:
    """As OAuth 2.1 has it: PKCE already binds the code to who asked for it."""
    client = AuthorizationClient(register({"redirect_uris": [CALLBACK, f"{CALLBACK}/2"]}).json()["client_id"])
    code = person.allow(client)
    refused(client.redeem(code, redirect_uri=f"{CALLBACK}/2"), error="invalid_grant")
    assert client.redeem(code, redirect_uri=None).status_code == 200


@pytest.mark.parametrize("name", ["redirect_uri", "resource", "client_secret", "scope", "state", "unknown"])
def test_an_empty_field_is_left_out(name: str, assistant: AuthorizationClient, person: Person) -> None:
    tokens = assistant.redeem(person.allow(assistant), **{name: ""})
    assert tokens.status_code == 200, tokens.content
    again = assistant.refresh(tokens.json()["refresh_token"], **{name: ""})
    assert (again.status_code, again.json()["scope"]) == (200, OWNER_SCOPES)
    assert assistant.revoke(again.json()["refresh_token"], **{name: ""}, token_type_hint="").status_code == 200


def test_an_empty_repetition_is_left_out(assistant: AuthorizationClient, person: Person) -> None:
    code = person.allow(assistant)
    tokens = assistant.redeem(code, code=[code, ""], client_id=["", assistant.client_id], resource=[MCP, ""])
    assert tokens.status_code == 200, tokens.content
    refused(assistant.redeem(code, code=[code, ""]), error="invalid_grant")
    again = assistant.refresh("", refresh_token=["", tokens.json()["refresh_token"], ""])
    assert again.status_code == 200


def test_a_free_port_may_be_left_out_too(person: Person) -> None:
    client = AuthorizationClient.registered("http://127.0.0.1/callback")
    code = person.allow(client, redirect_uri="http://127.0.0.1:39003/callback")
    refused(client.redeem(code), error="invalid_grant")
    assert client.redeem(code, redirect_uri=None).status_code == 200


def test_a_verifier_of_another_request(assistant: AuthorizationClient, person: Person) -> None:
    code = person.allow(assistant, code_challenge="a" * 43)
    refused(assistant.redeem(code, code_verifier="a" * 43), error="invalid_grant")
    refused(assistant.redeem(code, code_verifier=assistant.challenge), error="invalid_grant")
    refused(assistant.redeem(code, code_challenge="x", code_challenge_method="plain"), error="invalid_grant")


def test_what_is_in_the_database_opens_nothing(assistant: AuthorizationClient, person: Person) -> None:
    person.allow(assistant)
    refused(assistant.redeem(get_grant_model().objects.get().code), error="invalid_grant")
    person.connect(assistant)
    assert status_of(get_access_token_model().objects.get().token_checksum) == 401
    refused(assistant.refresh(get_refresh_token_model().objects.get().token_checksum), error="invalid_grant")


@pytest.mark.parametrize(
    "query", ["a=b", "grant_type=authorization_code", "code=a", "%zz", "%ff", "=", "client_id=%00", "ä"]
)
@pytest.mark.parametrize("endpoint", ["token", "revoke"])
def test_nothing_is_read_from_the_address(
    query: str, endpoint: str, assistant: AuthorizationClient, person: Person
) -> None:
    form = f"grant_type=authorization_code&code={person.allow(assistant)}&redirect_uri={CALLBACK}"
    form += f"&client_id={assistant.client_id}&code_verifier={assistant.verifier}&token=a&state=<script>"
    answer = program().generic("POST", f"/oauth/{endpoint}", form.encode(), content_type=FORM, QUERY_STRING=query)
    refused(answer, error="invalid_request")
    assert no_token_was_made()


@pytest.mark.parametrize("endpoint", ["token", "revoke"])
@pytest.mark.parametrize("method", ["get", "head", "put", "patch", "delete", "trace"])
def test_only_posts(endpoint: str, method: str) -> None:
    assert getattr(program(), method)(f"/oauth/{endpoint}").status_code == 405


def test_only_forms_are_read(assistant: AuthorizationClient, person: Person) -> None:
    form = {
        "grant_type": "authorization_code",
        "code": person.allow(assistant),
        "client_id": assistant.client_id,
        "redirect_uri": CALLBACK,
        "code_verifier": assistant.verifier,
    }
    for content_type in ("application/json", "text/plain", ""):
        answer = program().generic("POST", "/oauth/token", orjson.dumps(form), content_type=content_type)
        refused(answer, error="invalid_request")
    assert no_token_was_made()


@pytest.mark.parametrize("endpoint", ["token", "revoke"])
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        pytest.param(b"--x\r\n", "multipart/form-data; boundary=x", id="cut off"),
        pytest.param(b"x", "multipart/form-data", id="no boundary"),
        pytest.param(b"grant_type=a", f"{FORM}; charset=utf-16", id="other characters"),
        pytest.param(b"grant_type=a", f"{FORM}; charset=nonsense", id="unknown characters"),
        pytest.param(b"\xff=\xfe&%zz=%", FORM, id="no characters"),
        pytest.param(b"&&==&", FORM, id="only separators"),
    ],
)
def test_malformed_forms(endpoint: str, body: bytes, content_type: str) -> None:
    answer = program().generic("POST", f"/oauth/{endpoint}", body, content_type=content_type)
    refused(answer, status=answer.status_code)
    assert answer.status_code in {400, 401}


INSIDE = {
    "the earlier token": {"refresh_token_instance": "x"},
    "the encoding": {"encoding": "nonsense"},
    "the client": {"client": "1"},
    "the account": {"user": "1", "user_id": "1"},
    "the scopes": {"scopes": "admin", "scope": OWNER_SCOPES},
    "the lifetime": {"expires_in": "999999999", "expires": "never"},
    "the credentials": {"extra_credentials": "x", "credentials": "x", "bound_resource": REST},
    "the answer": {"access_token": "chosen", "token": "chosen", "id_token": "x", "nonce": "a" * 300, "claims": "{"},
    "the request": {"uri": "x", "headers": "x", "body": "x", "decoded_body": "x", "http_method": "GET"},
}


@pytest.mark.parametrize("fields", named(INSIDE))
@pytest.mark.parametrize("authorization", [None, "Basic nonsense"])
def test_fields_do_not_reach_inside(
    fields: dict[str, str], authorization: str | None, assistant: AuthorizationClient, person: Person
) -> None:
    if authorization:
        assistant.http = program(HTTP_AUTHORIZATION=authorization)
    answer = assistant.redeem(person.allow(assistant, scope="account:read"), **fields)
    assert answer.status_code == 200, answer.content
    said = answer.json()
    assert (said["scope"], said["expires_in"]) == ("account:read", 3600)
    assert said["access_token"].startswith("slat_")
    assert answer.json().keys() == {"access_token", "refresh_token", "token_type", "expires_in", "scope"}
    again = assistant.refresh(said["refresh_token"], **{**fields, "scope": None})
    assert (again.status_code, again.json()["scope"]) == (200, "account:read")


def basic(text: str | bytes) -> str:
    return "Basic " + base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


HEADERS = {
    "no base64": "Basic !!!",
    "other letters": "Basic \xe9\xff",
    "half a letter": "Basic YQ",
    "nothing": "Basic ",
    "no colon": basic("unknown"),
    "null character": basic("\x00:\x00"),
    "no characters": basic(b"\xff\xfe:\xfd"),
    "unknown client": basic("unknown:secret"),
    "unread document": basic("https%3A%2F%2Fclient.example.com%2Fclient.json:"),
    "long": basic("a" * 5000),
    "a token": "Bearer slat_unknown",
    "digest": 'Digest username="a"',
}


@pytest.mark.parametrize("header", named(HEADERS))
@pytest.mark.parametrize("endpoint", ["token", "revoke"])
def test_no_header_stands_for_a_client(header: str, endpoint: str, assistant: AuthorizationClient) -> None:
    assistant.http = program(HTTP_AUTHORIZATION=header)
    form = {"grant_type": "authorization_code", "code": "a", "token": "a", "redirect_uri": CALLBACK, "client_id": None}
    refused(assistant.post(endpoint, **form), status=401, error="invalid_client")


def test_two_clients_at_once(assistant: AuthorizationClient, person: Person) -> None:
    thief = AuthorizationClient.registered()
    thief.http, thief.verifier = program(HTTP_AUTHORIZATION=basic(f"{assistant.client_id}:")), assistant.verifier
    refused(thief.redeem(person.allow(assistant)))
    assert no_token_was_made()


def test_a_code_lives_a_minute(assistant: AuthorizationClient, person: Person, time_machine: Any) -> None:
    code, late = person.allow(assistant), person.allow(assistant)
    wait(time_machine, seconds=55)
    assert assistant.redeem(code).status_code == 200
    wait(time_machine, seconds=10)
    refused(assistant.redeem(late), error="invalid_grant")


def test_a_code_of_a_deactivated_account(assistant: AuthorizationClient, person: Person) -> None:
    code = person.allow(assistant)
    person.user.is_active = False
    person.user.save()
    refused(assistant.redeem(code), error="invalid_grant")
    assert no_token_was_made()


def test_a_code_of_a_blocked_client(assistant: AuthorizationClient, person: Person) -> None:
    code = person.allow(assistant)
    Application.objects.update(is_active=False)
    refused(assistant.redeem(code), status=401, error="invalid_client")
    assert no_token_was_made()


def test_a_code_after_a_disconnect(assistant: AuthorizationClient, person: Person) -> None:
    code = person.allow(assistant)
    person.browser.post(f"/account/apps/{Connection.objects.get().pk}/disconnect")
    refused(assistant.redeem(code), error="invalid_grant")
    person.allow(assistant)
    refused(assistant.redeem(code), error="invalid_grant")
    assert no_token_was_made()


@pytest.mark.parametrize("by", ["the client", "another client", "nobody", "a wrong verifier"])
@pytest.mark.parametrize(("seconds", "is_ended"), [(9, False), (11, True)])
def test_a_code_shown_again_ends_what_came_from_it(
    by: str, seconds: int, is_ended: bool, assistant: AuthorizationClient, person: Person, time_machine: Any
) -> None:
    code, other = person.allow(assistant), person.connect(assistant)
    time_machine.move_to(timezone.now(), tick=False)
    first = assistant.redeem(code).json()
    second = assistant.refresh(first["refresh_token"]).json()
    wait(time_machine, seconds=seconds)
    shown = AuthorizationClient.registered() if by == "another client" else assistant
    changes: Changes = {"client_id": None} if by == "nobody" else {"code_verifier": "a" * 43} if by[0] == "a" else {}
    refused(shown.redeem(code, **changes), status=401 if by == "nobody" else 400)
    assert is_dead(second, assistant) is is_ended
    assert status_of(other["access_token"]) == 200


def test_lifetimes(assistant: AuthorizationClient, person: Person, time_machine: Any) -> None:
    tokens = person.connect(assistant)
    assert (tokens["expires_in"], tokens["token_type"], tokens["scope"]) == (3600, "Bearer", OWNER_SCOPES)
    wait(time_machine, minutes=59)
    assert status_of(tokens["access_token"]) == 200
    wait(time_machine, minutes=2)
    assert status_of(tokens["access_token"]) == 401
    wait(time_machine, days=29)
    assert assistant.refresh(tokens["refresh_token"]).status_code == 200


RESOURCES = [MCP, REST, "http://other.localhost/mcp", "http://other.localhost/api/v1", "http://127.0.0.1/mcp"]


@pytest.mark.parametrize("bound", RESOURCES)
@pytest.mark.parametrize("is_named", ["", "asked", "redeemed", "asked redeemed"])
def test_a_token_is_good_for_one_resource(
    bound: str, is_named: str, assistant: AuthorizationClient, person: Person
) -> None:
    asked = bound if "asked" in is_named else None
    redeemed = bound if "redeemed" in is_named else None
    if not asked and bound != MCP:
        refused(assistant.redeem(person.allow(assistant, resource=None), resource=bound), error="invalid_target")
        bound, redeemed = MCP, None
    tokens = assistant.redeem(person.allow(assistant, resource=asked), resource=redeemed).json()
    for _ in range(2):
        assert {resource for resource in RESOURCES if status_of(tokens["access_token"], resource) == 200} == {bound}
        assert [token.resource for token in get_access_token_model().objects.all()] == [[bound]]
        tokens = assistant.refresh(tokens["refresh_token"]).json()


@pytest.mark.parametrize("host", ["evil.example", f"{HOST}.evil.example", "evil.example:80", f"evil@{HOST}"])
def test_a_foreign_host_name_opens_nothing(host: str, assistant: AuthorizationClient, person: Person) -> None:
    token = person.connect(assistant, resource=REST)["access_token"]
    headers = {"Authorization": f"Bearer {token}", "X-Forwarded-Host": HOST, "Forwarded": f"host={HOST}"}
    assert program(HTTP_HOST=host).get("/api/v1/me/listings", headers=headers).status_code == 400


def test_tokens_are_taken_from_the_header_only(assistant: AuthorizationClient, person: Person) -> None:
    token = person.connect(assistant, resource=REST)["access_token"]
    path = "/api/v1/me/listings"
    caller = program()
    assert caller.get(path, {"access_token": token}).status_code == 401
    assert caller.get(path, {"token": token, "bearer_token": token}).status_code == 401
    assert caller.get(path, headers={"X-Access-Token": token, "Cookie": f"access_token={token}"}).status_code == 401
    body = {"access_token": token}
    assert caller.post("/api/v1/orders/quote", body).status_code == 401
    for header in (token, f"Token {token}", f"Basic {token}", f"Bearer{token}", f"Bearer {token}, Bearer {token}"):
        assert caller.get(path, headers={"Authorization": header}).status_code == 401
    assert caller.get(path, headers={"Authorization": f"bearer {token}"}).status_code == 200


def dump() -> str:
    """Every column of every table as text."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        rows: list[str] = []
        for table in tables:
            cursor.execute(f'SELECT t::text FROM "{table}" t')  # noqa: S608 - the name comes from the database itself
            rows += [row for (row,) in cursor.fetchall()]
    return "\n".join(rows)


def test_no_secret_is_kept_or_logged(
    assistant: AuthorizationClient, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    unused = person.allow(assistant)
    code = person.allow(assistant)
    first = assistant.redeem(code).json()
    second = assistant.refresh(first["refresh_token"]).json()
    assert status_of(second["access_token"]) == 200
    assistant.redeem(code)
    assistant.revoke(second["refresh_token"])
    kept = dump()
    logged = "\n".join(f"{record.getMessage()} {record.__dict__}" for record in caplog.records)
    assert assistant.client_id in kept
    assert "oauth/token" in logged
    tokens = [first["access_token"], first["refresh_token"], second["access_token"], second["refresh_token"]]
    for secret in (unused, code, *tokens, *(token[5:] for token in tokens), assistant.verifier):
        assert secret not in kept
        assert secret not in logged
