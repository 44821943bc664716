"""Registration: what a stranger may say of a client, and what it gets."""

import io
from typing import Any

import orjson
import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import IntegrityError, transaction

from apps.accounts.models import Application
from apps.accounts.oauth.registration import REGISTRATION_LIMIT
from apps.core.web.body_limits import with_lengths
from config.oauth import provider
from tests.accounts.oauth.flow import (
    CALLBACK,
    HOST,
    ISSUER,
    OWNER_SCOPES,
    AuthorizationClient,
    Person,
    named,
    out_of_order,
    program,
    refused,
    register,
)

pytestmark = pytest.mark.django_db

JSON = "application/json"


WRONG_TYPES = {
    "redirect_uris": [CALLBACK, 1, True, {}, {"0": CALLBACK}, [1], [None], [[CALLBACK]], [{}], [CALLBACK, 1]],
    "grant_types": ["authorization_code", 1, True, {}, [1], [["authorization_code"]], [""]],
    "response_types": ["code", 1, False, {}, [1], [["code"]], [""]],
    "client_name": [1, True, ["A"], {"en": "A"}],
}


@pytest.mark.parametrize(
    ("field", "value"),
    [pytest.param(name, value, id=f"{name}={value}") for name in WRONG_TYPES for value in WRONG_TYPES[name]],
)
def test_wrong_types_are_refused(field: str, value: Any) -> None:
    refused(register({"redirect_uris": [CALLBACK], field: value}))
    assert not Application.objects.exists()


@pytest.mark.parametrize("value", [None, "", []], ids=str)
def test_what_has_no_value_is_left_out(value: Any) -> None:
    named = ("grant_types", "response_types", "client_name", "scope", "token_endpoint_auth_method", "client_uri")
    answer = register({"redirect_uris": [CALLBACK], **dict.fromkeys(named, value)})
    assert answer.status_code == 201
    said, plain = answer.json(), register({"redirect_uris": [CALLBACK]}).json()
    assert {**said, "client_id": "", "client_id_issued_at": 0} == {**plain, "client_id": "", "client_id_issued_at": 0}
    refused(register({"redirect_uris": value}), error="invalid_redirect_uri")


@pytest.mark.parametrize("value", [None, 1, -1.5, True, "x", [], [[]], {}, {"a": {}}], ids=str)
def test_what_is_not_used_may_be_anything(value: Any) -> None:
    unused = (
        "scope",
        "token_endpoint_auth_method",
        "client_uri",
        "logo_uri",
        "contacts",
        "tos_uri",
        "policy_uri",
        "jwks_uri",
        "jwks",
        "software_id",
        "software_version",
        "software_statement",
        "application_type",
        "client_id",
        "client_secret",
        "skip_authorization",
        "is_active",
        "user",
        "post_logout_redirect_uris",
        "allowed_origins",
        "resource",
    )
    answer = register({"redirect_uris": [CALLBACK], **dict.fromkeys(unused, value)})
    assert answer.status_code == 201
    made = Application.objects.get()
    assert (made.client_id, made.is_active, made.skip_authorization) == (answer.json()["client_id"], True, False)
    assert (made.user, made.post_logout_redirect_uris, made.allowed_origins) == (None, "", "")


BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "a form": b"redirect_uris=https%3A%2F%2Fassistant.example.com%2Fcb",
    "array": b"[]",
    "array of objects": b'[{"redirect_uris":["https://assistant.example.com/cb"]}]',
    "text": b'"https://assistant.example.com/cb"',
    "number": b"1",
    "null": b"null",
    "not a number": b'{"redirect_uris":NaN}',
    "deep arrays": b'{"redirect_uris":' + b"[" * 4000 + b"]" * 4000 + b"}",
    "deep objects": b'{"a":' * 1300 + b"1" + b"}" * 1300,
    "never closed": b"[" * 8000,
    "half a character": b'{"client_name":"\\ud800","redirect_uris":["https://assistant.example.com/cb"]}',
    "not UTF-8": b'{"client_name":"\xff","redirect_uris":["https://assistant.example.com/cb"]}',
    "UTF-16": '{"redirect_uris":["https://assistant.example.com/cb"]}'.encode("utf-16"),
    "long number": b'{"redirect_uris":' + b"9" * 5000 + b"}",
    "two values": b'{"redirect_uris":["https://assistant.example.com/cb"]}{}',
    "comment": b'{"redirect_uris":["https://assistant.example.com/cb"]/**/}',
}


@pytest.mark.parametrize("body", named(BODIES))
def test_bodies_that_are_refused(body: bytes) -> None:
    refused(program().post("/oauth/register", body, content_type=JSON), error="invalid_client_metadata")


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/x-www-form-urlencoded", "text/json", "multipart/form-data; boundary=x"],
)
def test_only_json_is_read(content_type: str) -> None:
    body = orjson.dumps({"redirect_uris": [CALLBACK]})
    refused(program().post("/oauth/register", body, content_type=content_type), error="invalid_client_metadata")


@pytest.mark.parametrize("method", ["get", "head", "put", "patch", "delete", "trace"])
def test_only_posts_are_read(method: str) -> None:
    for address in ("register", "token", "revoke"):
        answer = getattr(program(), method)(f"/oauth/{address}")
        assert (answer.status_code, answer["Allow"]) == (405, "POST, OPTIONS")
        assert answer["Content-Type"] == "application/json"
        if method != "head":
            refused(answer, status=405, error="invalid_request")


def big(size: int) -> bytes:
    body = orjson.dumps({"redirect_uris": [CALLBACK], "software_id": ""})
    return body[:-2] + b"x" * (size - len(body)) + body[-2:]


def test_eight_kilobytes_are_enough() -> None:
    assert program().post("/oauth/register", big(8192), content_type=JSON).status_code == 201


@pytest.mark.parametrize("size", [8193, 100_000, 1_000_000])
def test_more_are_refused(size: int) -> None:
    refused(program().post("/oauth/register", big(size), content_type=JSON), status=413)


@pytest.mark.parametrize(
    "length", named({"none": "", "zero": "0", "less": "20", "words": "many", "negative": "-1", "raised": "²"})
)
def test_what_the_length_says_does_not_matter(length: str) -> None:
    answer = program().post("/oauth/register", big(9000), content_type=JSON, CONTENT_LENGTH=length)
    refused(answer, error="invalid_client_metadata")


def test_bodies_of_unknown_length_are_cut_off() -> None:
    started: list[str] = []
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/oauth/register",
        "SERVER_NAME": HOST,
        "SERVER_PORT": "80",
        "HTTP_HOST": HOST,
        "CONTENT_TYPE": JSON,
        "HTTP_TRANSFER_ENCODING": "chunked",
        "REMOTE_ADDR": "192.0.2.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(big(50_000)),
        "wsgi.errors": io.StringIO(),
    }
    application = with_lengths(WSGIHandler(), most=1_000_000)
    body = b"".join(application(environ, lambda status, headers: started.append(status)))
    assert started == ["413 Request Entity Too Large"]
    assert b"over 8 KB" in body


NAMES = {
    "plain": ("Claude", "Claude"),
    "spaces": ("  Two \t words\r\n", "Two words"),
    "right-to-left override": ("evil\u202egro.ecivres", "evilgro.ecivres"),
    "isolates": ("\u2066a\u2069\u2067b\u2069", "ab"),
    "marks of direction": ("a\u200e\u200f\u061cb", "ab"),
    "zero width": ("Sli\u200bp\u200cw\u200da\ufeffy", "Slipway"),
    "null": ("a\x00b", "ab"),
    "bell and escape": ("a\x07\x1b[31mb", "a[31mb"),
    "lines": ("a\u2028b\u2029c\x85d\x0be", "a b c d e"),
    "full width": ("Ｓｌｉｐｗａｙ", "Slipway"),
    "ligature": ("ﬁne", "fine"),
    "letters that fall apart": ("a\u0301", "\xe1"),
    "private use": ("a\ue000b", "ab"),
    "soft hyphen": ("Sli\xadpway", "Slipway"),
    "tags": ("a\U000e0041\U000e0042", "a"),
    "fillers of Hangul": ("\u3164\u115f\u1160\uffa0", ""),
    "empty Braille": ("\u2800\u2800", ""),
    "variation selectors": ("a\ufe0f\U000e0100", "a"),
    "joiner of graphemes": ("a\u034fb", "ab"),
    "stacked marks": ("a" + "\u0301\u0316" * 40 + "b", "\xe1\u0316\u0316b"),
    "stacked marks with joiners": ("o" + "\u0334\u200d" * 40, "o\u0334\u0334"),
    "vowels of Hebrew": ("\u05e9\u05c1\u05b8", "\u05e9\u05b8\u05c1"),
    "too long": ("a" * 500, "a" * 80),
    "grows": ("\ufdfa" * 30, "صلى الله عليه وسلم" * 30),
    "markup stays text": ("<b>&amp;", "<b>&amp;"),
}


@pytest.mark.parametrize(("sent", "kept"), [pytest.param(*case, id=name) for name, case in NAMES.items()])
def test_names_are_cleaned(sent: str, kept: str) -> None:
    answer = register({"redirect_uris": [CALLBACK], "client_name": sent})
    assert answer.json()["client_name"] == Application.objects.get().name == kept[:80].rstrip()


@pytest.mark.parametrize(
    "grant",
    [
        "client_credentials",
        "implicit",
        "password",
        "refresh_token",
        "urn:ietf:params:oauth:grant-type:device_code",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "AUTHORIZATION_CODE",
        "authorization_code ",
        "",
    ],
)
def test_grants_without_a_person_are_refused(grant: str) -> None:
    refused(register({"redirect_uris": [CALLBACK], "grant_types": [grant]}), error="invalid_client_metadata")


@pytest.mark.parametrize("response_type", ["token", "id_token", "none", "code token", "code id_token", ""])
def test_answers_without_a_code_are_refused(response_type: str) -> None:
    refused(register({"redirect_uris": [CALLBACK], "response_types": [response_type]}), error="invalid_client_metadata")


@pytest.mark.parametrize(
    "grant", ["client_credentials", "password", "implicit", "urn:ietf:params:oauth:grant-type:device_code"]
)
def test_grants_beside_the_code_come_to_nothing(grant: str) -> None:
    answer = register({"redirect_uris": [CALLBACK], "grant_types": ["authorization_code", grant]})
    assert answer.json()["grant_types"] == ["authorization_code", "refresh_token"]
    assert Application.objects.get().authorization_grant_type == "authorization-code"
    client = AuthorizationClient(answer.json()["client_id"])
    refused(client.post("token", grant_type=grant, scope=OWNER_SCOPES), error="unsupported_grant_type")


@pytest.mark.parametrize(
    "method",
    ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "tls_client_auth", "none"],
)
def test_nobody_gets_a_secret_or_a_way_back_in(method: str) -> None:
    answer = register({"redirect_uris": [CALLBACK], "token_endpoint_auth_method": method})
    said = answer.json()
    assert set(said) == {
        "client_id",
        "client_id_issued_at",
        "client_name",
        "redirect_uris",
        "grant_types",
        "response_types",
        "token_endpoint_auth_method",
        "scope",
    }
    assert said["token_endpoint_auth_method"] == "none"
    assert "no-store" in answer["Cache-Control"]
    assert Application.objects.get().client_secret == ""


def test_nothing_is_hashed_slowly(monkeypatch: pytest.MonkeyPatch, person: Person) -> None:
    def hash_slowly(*args: Any, **kwargs: Any) -> str:
        raise AssertionError("half a second of hashing for a stranger")

    monkeypatch.setattr("oauth2_provider.models.make_password", hash_slowly)
    monkeypatch.setattr("oauth2_provider.oauth2_validators.check_password", hash_slowly)
    client = AuthorizationClient.registered(token_endpoint_auth_method="client_secret_post")
    assert client.redeem(person.allow(client)).status_code == 200
    refused(client.redeem(person.allow(client), client_secret="guessed"), status=401, error="invalid_client")


@pytest.mark.parametrize(
    "change",
    named(
        {
            "skips the question": {"skip_authorization": True},
            "confidential": {"client_type": "confidential"},
            "has a secret": {"client_secret": "secret"},
            "client credentials": {"authorization_grant_type": "client-credentials"},
            "password": {"authorization_grant_type": "password"},
            "implicit": {"authorization_grant_type": "implicit"},
        }
    ),
)
def test_the_database_keeps_clients_public_and_asking(change: dict[str, Any]) -> None:
    register({"redirect_uris": [CALLBACK]})
    with pytest.raises(IntegrityError), transaction.atomic():
        Application.objects.update(**change)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("192.0.2.1", "192.0.2.1", id="one address"),
        pytest.param("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", id="one IPv6 network"),
    ],
)
def test_an_address_registers_so_many_clients_an_hour(first: str, second: str) -> None:
    metadata = {"redirect_uris": [CALLBACK]}
    for number in range(REGISTRATION_LIMIT.count):
        answer = register(metadata, REMOTE_ADDR=first)
        assert answer.status_code == 201
        assert answer["RateLimit-Policy"] == '"registrations";q=120;w=3600'
        assert answer["RateLimit"].startswith(f'"registrations";r={119 - number};t=')
    for forged in ({}, {"HTTP_X_FORWARDED_FOR": "198.51.100.7"}, {"HTTP_X_REAL_IP": "198.51.100.7"}):
        answer = register(metadata, REMOTE_ADDR=second, **forged)
        refused(answer, status=429)
        assert 0 < int(answer["Retry-After"]) <= 3600
        assert answer["RateLimit"] == f'"registrations";r=0;t={answer["Retry-After"]}'
    assert Application.objects.count() == REGISTRATION_LIMIT.count
    assert register(metadata, REMOTE_ADDR="198.51.100.1").status_code == 201


def test_refused_registrations_count_as_well() -> None:
    for _ in range(REGISTRATION_LIMIT.count):
        assert register({}).status_code == 400
    refused(register({"redirect_uris": [CALLBACK]}), status=429)


def test_nobody_registers_while_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.core.stores.valkey.counters.script", out_of_order)
    answer = register({"redirect_uris": [CALLBACK]})
    refused(answer, status=503, error="temporarily_unavailable")
    assert answer["Retry-After"] == "60"
    assert not Application.objects.exists()


def test_registration_switched_off(assistant: AuthorizationClient, person: Person, settings: Any) -> None:
    settings.OAUTH2_PROVIDER = provider(issuer=ISSUER, registration=False, documents=True)
    answer = register({"redirect_uris": [CALLBACK]})
    refused(answer, status=403, error="access_denied")
    assert "doesn't register clients" in answer.json()["error_description"]
    assert Application.objects.count() == 1
    # Who registered before goes on as ever.
    assert assistant.refresh(person.connect(assistant)["refresh_token"]).status_code == 200
