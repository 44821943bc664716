"""What clients read before they begin: exact documents, one issuer, and nothing of the toolkit besides."""

from typing import Any

import pytest

from config.oauth import provider
from tests.accounts.oauth.flow import (
    CALLBACK,
    HOST,
    ISSUER,
    AuthorizationClient,
    Person,
    answer_of,
    named,
    program,
    status_of,
)

pytestmark = pytest.mark.django_db

SCOPES = ["account:read", "listings:write", "orders:write"]
SERVER = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/oauth/authorize",
    "token_endpoint": f"{ISSUER}/oauth/token",
    "registration_endpoint": f"{ISSUER}/oauth/register",
    "revocation_endpoint": f"{ISSUER}/oauth/revoke",
    "scopes_supported": SCOPES,
    "response_types_supported": ["code"],
    "grant_types_supported": ["authorization_code", "refresh_token"],
    "token_endpoint_auth_methods_supported": ["none"],
    "revocation_endpoint_auth_methods_supported": ["none"],
    "code_challenge_methods_supported": ["S256"],
    "authorization_response_iss_parameter_supported": True,
    "client_id_metadata_document_supported": True,
    "service_documentation": f"{ISSUER}/connect",
}
ROOT = "/.well-known/oauth-protected-resource"
AUTHORIZATION_SERVER = "/.well-known/oauth-authorization-server"
DOCUMENTS = {AUTHORIZATION_SERVER: "", ROOT: "/mcp", f"{ROOT}/mcp": "/mcp", f"{ROOT}/api/v1": "/api/v1"}


def resource(path: str, origin: str = ISSUER) -> dict[str, Any]:
    return {
        "resource": f"{origin}{path}",
        "authorization_servers": [ISSUER],
        "scopes_supported": SCOPES,
        "bearer_methods_supported": ["header"],
        "resource_name": "Slipway",
        "resource_documentation": f"{origin}/connect",
    }


@pytest.mark.parametrize("path", DOCUMENTS)
def test_documents(path: str) -> None:
    answer = program().get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "public, max-age=3600"
    assert answer.json() == (resource(DOCUMENTS[path]) if DOCUMENTS[path] else SERVER)


def test_registration_that_is_switched_off_is_not_advertised(settings: Any) -> None:
    settings.OAUTH2_PROVIDER = provider(issuer=ISSUER, registration=False, documents=True)
    assert program().get(AUTHORIZATION_SERVER).json() == {
        name: value for name, value in SERVER.items() if name != "registration_endpoint"
    }


def test_documents_that_are_switched_off_are_not_advertised(settings: Any) -> None:
    settings.OAUTH2_PROVIDER = provider(issuer=ISSUER, registration=True, documents=False)
    described = program().get(AUTHORIZATION_SERVER).json()
    assert described == {**SERVER, "client_id_metadata_document_supported": False}


# What somebody may say of the host, and the origin whose resources they get to see.
NAMES = {
    "another site": ({"HTTP_HOST": "second.localhost"}, "http://second.localhost"),
    "capitals": ({"HTTP_HOST": "SECOND.LocalHost"}, "http://second.localhost"),
    "trailing dot": ({"HTTP_HOST": "second.localhost."}, "http://second.localhost"),
    "another port": ({"HTTP_HOST": "second.localhost:8443"}, "http://second.localhost"),
    "an address": ({"HTTP_HOST": "127.0.0.1:9"}, "http://127.0.0.1"),
    "IPv6": ({"HTTP_HOST": "[::1]:9"}, "http://[::1]"),
    "forwarded host": ({"HTTP_X_FORWARDED_HOST": "evil.example"}, ISSUER),
    "forwarded": ({"HTTP_FORWARDED": "host=evil.example;proto=https"}, ISSUER),
    "forwarded protocol": ({"HTTP_X_FORWARDED_PROTO": "https", "HTTP_X_FORWARDED_PORT": "1"}, ISSUER),
    "original host": ({"HTTP_X_ORIGINAL_HOST": "evil.example", "HTTP_X_HOST": "evil.example"}, ISSUER),
    "server name": ({"SERVER_NAME": "evil.example", "SERVER_PORT": "1"}, ISSUER),
    "TLS": ({"wsgi.url_scheme": "https"}, ISSUER),
}


@pytest.mark.parametrize(("said", "origin"), [pytest.param(*case, id=name) for name, case in NAMES.items()])
@pytest.mark.parametrize("path", DOCUMENTS)
def test_nobody_chooses_the_issuer(said: dict[str, str], origin: str, path: str) -> None:
    answer = program(**said).get(path)
    assert answer.status_code == 200
    assert answer.json() == (resource(DOCUMENTS[path], origin) if DOCUMENTS[path] else SERVER)
    assert b"evil.example" not in answer.content


@pytest.mark.parametrize(
    "host", ["evil.example", f"{HOST}.evil.example", f"{HOST}@evil.example", f"evil.example#{HOST}", "a b", ""]
)
@pytest.mark.parametrize("path", DOCUMENTS)
def test_hosts_that_are_not_served(host: str, path: str) -> None:
    answer = program(HTTP_HOST=host).get(path)
    assert answer.status_code == 400
    assert b"issuer" not in answer.content


@pytest.mark.parametrize("path", DOCUMENTS)
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "trace"])
def test_documents_are_only_read(path: str, method: str) -> None:
    checked = program(enforce_csrf_checks=True)
    assert getattr(checked, method)(path).status_code == 405


# Addresses that the toolkit has, or that clients may try: none of them is there.
ABSENT = [
    "/.well-known/openid-configuration",
    "/.well-known/openid-configuration/mcp",
    "/mcp/.well-known/openid-configuration",
    "/oauth/.well-known/openid-configuration",
    "/o/.well-known/openid-configuration",
    "/.well-known/jwks.json",
    "/oauth/.well-known/jwks.json",
    "/oauth/jwks",
    f"{ROOT}//",
    f"{ROOT}/mcp//",
    f"{ROOT}/other",
    f"{ROOT}/api",
    f"{ROOT}/../admin",
    "/oauth/",
    "/oauth/token//",
    "/oauth/token/x",
    "/oauth/revoke_token/",
    "/oauth/introspect",
    "/oauth/introspect/",
    "/oauth/applications/",
    "/oauth/applications/register/",
    "/oauth/applications/1/",
    "/oauth/authorized_tokens/",
    "/oauth/authorized_tokens/1/delete/",
    "/oauth/device-authorization",
    "/oauth/device-authorization/",
    "/oauth/device",
    "/oauth/device/",
    "/oauth/device-confirm/1/1",
    "/oauth/userinfo",
    "/oauth/userinfo/",
    "/oauth/logout/",
    "/oauth/register/1",
    "/oauth/register/1/",
    "/oauth/AUTHORIZE",
    "/o/authorize/",
    "/o/token/",
    "/o/applications/",
    "/authorize",
    "/token",
    "/register",
]


@pytest.mark.parametrize("path", ABSENT)
def test_nothing_else_is_there(path: str) -> None:
    for method in ("get", "post", "put", "delete"):
        assert getattr(program(), method)(path).status_code == 404


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_slash_more_changes_nothing(path: str) -> None:
    answer, plain = program().get(f"{path}/"), program().get(path)
    assert (answer.status_code, answer.json(), answer["Cache-Control"]) == (200, plain.json(), plain["Cache-Control"])


def test_endpoints_with_a_slash_more(person: Person) -> None:
    registered = program().post("/oauth/register/", {"redirect_uris": [CALLBACK]}, content_type="application/json")
    client = AuthorizationClient(registered.json()["client_id"])
    page = person.browser.get(f"/oauth/authorize/?{client.request()}")
    tokens = client.post("token/", **client.redemption(answer_of(person.decide(page))["code"]))
    assert status_of(tokens.json()["access_token"]) == 200
    assert client.post("revoke/", token=tokens.json()["access_token"]).status_code == 200
    assert status_of(tokens.json()["access_token"]) == 401


@pytest.mark.parametrize(
    "query",
    named({"long": "a=" + "b" * 5000, "null": "%00", "odd": "%zz&=&%ff", "resource": "resource=https://evil.example"}),
)
@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_query_changes_nothing(query: str, path: str) -> None:
    assert program().get(f"{path}?{query}").json() == program().get(path).json()
