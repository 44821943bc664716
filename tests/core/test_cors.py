"""Programs in browsers may call the API from any origin, with a credential in the header and never with cookies."""

from typing import Any

import pytest
from django.test import Client

from apps.sites.models import Site

pytestmark = pytest.mark.db

ORIGIN = "https://app.example"
OPEN = [
    "/api/v1/products",
    "/api/v1/me/listings",
    "/api/v1/openapi.json",
    "/api/v1/nothing",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/oauth/token",
    "/oauth/register",
    "/oauth/revoke",
    "/oauth/token/",
]
CLOSED = ["/", "/account/keys", "/account/apps", "/oauth/authorize", "/admin/", "/healthz", "/api"]


def words(response: Any, name: str) -> set[str]:
    return {word.strip().lower() for word in response[name].split(",")}


@pytest.mark.parametrize("path", OPEN)
def test_a_browser_may_ask_before_it_calls(path: str, site: Site, django_assert_num_queries: Any) -> None:
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, mcp-protocol-version",
        "Authorization": "Bearer wrong",
    }
    with django_assert_num_queries(0):
        response = Client().options(path, headers=asked)
    assert response.status_code == (200 if path.endswith("nothing") else 204)
    assert response.content == b""
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response
    assert words(response, "Access-Control-Allow-Methods") >= {"get", "post", "put", "patch", "delete"}
    assert words(response, "Access-Control-Allow-Headers") >= {
        "authorization",
        "content-type",
        "idempotency-key",
        "last-event-id",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "mcp-session-id",
    }
    assert response["X-Request-ID"]


METHODS = {
    "/api/v1/products": "GET, HEAD, OPTIONS",
    "/api/v1/products/": "GET, HEAD, OPTIONS",
    "/api/v1/me/listings": "GET, HEAD, OPTIONS",
    "/api/v1/me/listings/1": "GET, PATCH, HEAD, OPTIONS",
    "/api/v1/me/listings/1/story": "PUT, OPTIONS",
    "/api/v1/me/listings/1/milestones/1": "DELETE, OPTIONS",
    "/api/v1/me/profile": "GET, PATCH, HEAD, OPTIONS",
    "/api/v1/orders/quote": "POST, OPTIONS",
    "/api/v1/openapi.json": "GET, HEAD, OPTIONS",
    "/.well-known/oauth-protected-resource/mcp": "GET, HEAD, OPTIONS",
    "/.well-known/oauth-authorization-server": "GET, HEAD, OPTIONS",
    "/oauth/token": "POST, OPTIONS",
    "/oauth/register": "POST, OPTIONS",
    "/oauth/revoke": "POST, OPTIONS",
}


@pytest.mark.parametrize("path", METHODS)
@pytest.mark.parametrize("said", [{}, {"Authorization": "Bearer wrong"}, {"Origin": ORIGIN}])
def test_options_says_what_can_be_called(
    path: str, said: dict[str, str], site: Site, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        response = Client().options(path, headers=said)
    assert (response.status_code, response.content, response["Allow"]) == (204, b"", METHODS[path])
    assert "Content-Type" not in response
    assert "RateLimit" not in response
    assert ("Access-Control-Allow-Origin" in response) is ("Origin" in said)


def test_a_slash_more_calls_the_same_operation(site: Site) -> None:
    answers = [Client().get(path) for path in ("/api/v1/products", "/api/v1/products/")]
    assert answers[0].status_code == 200
    assert answers[0].json() == answers[1].json()


def test_options_of_nothing_finds_nothing(site: Site) -> None:
    assert Client().options("/api/v1/nothing").status_code == 404


@pytest.mark.parametrize("path", OPEN)
def test_a_program_in_a_browser_reads_the_answer_and_its_headers(path: str, site: Site) -> None:
    response = Client().get(path, headers={"Origin": ORIGIN})
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response
    assert words(response, "Access-Control-Expose-Headers") >= {
        "www-authenticate",
        "mcp-session-id",
        "retry-after",
        "ratelimit",
        "ratelimit-policy",
        "x-request-id",
        "idempotency-replayed",
    }
    assert not response.cookies


def test_a_refusal_can_be_read_too(site: Site) -> None:
    response = Client().get("/api/v1/me/listings", headers={"Origin": ORIGIN, "Authorization": "Bearer wrong"})
    assert response.status_code == 401
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "www-authenticate" in words(response, "Access-Control-Expose-Headers")


@pytest.mark.parametrize("path", CLOSED)
def test_pages_are_for_their_own_origin(path: str, site: Site) -> None:
    asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    for response in (Client().get(path, headers=asked), Client().options(path, headers=asked)):
        assert "Access-Control-Allow-Origin" not in response
