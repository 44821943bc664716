"""401 and 403 say what to bring and where to get it; nothing but one good header is a credential."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from apps.accounts.api_keys.services import create_api_key
from apps.core.api.scopes import OWNER_SCOPES, Scope
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ApplicationFactory, UserFactory, access_token, api_key

pytestmark = pytest.mark.db

ORIGIN = "http://testserver.localhost"
REST = f"{ORIGIN}/api/v1"
METADATA = f'resource_metadata="{ORIGIN}/.well-known/oauth-protected-resource/api/v1"'
ALL_SCOPES = 'scope="account:read listings:write orders:write"'
INVALID = (
    'Bearer error="invalid_token", '
    'error_description="The API key or access token is invalid, expired, revoked or for another resource.", '
    f"{METADATA}, {ALL_SCOPES}"
)


def test_without_a_credential_all_scopes_are_asked_for_at_once(anonymous: ApiClient) -> None:
    for path in ("/me/listings", "/orders"):
        response = anonymous.get(path)
        assert response.status_code == 401
        assert response["WWW-Authenticate"] == f"Bearer {METADATA}, {ALL_SCOPES}"
        assert response.json()["code"] == "not_authenticated"
        assert response.json()["next_steps"] == [f"Create an API key on {ORIGIN}/account/keys, or connect the app."]


def test_the_metadata_is_that_of_the_host_that_was_asked(site: Site) -> None:
    response = ApiClient(host="other.localhost").get("/me/listings")
    assert '"http://other.localhost/.well-known/oauth-protected-resource/api/v1"' in response["WWW-Authenticate"]


def wrong_credentials() -> dict[str, str]:
    user = UserFactory.create()
    inactive = UserFactory.create(is_active=False)
    yesterday = timezone.now() - timedelta(days=1)
    expired_key, expired = create_api_key(user=user, name="old", scopes=OWNER_SCOPES)
    get_access_token_model().objects.filter(api_key=expired_key).update(expires=yesterday)
    good, good_token = api_key(user), access_token(user, resource=REST)
    ended = ApplicationFactory.create(is_active=False)
    return {
        "unknown key": f"Bearer {good[:-7]}1234567",
        "expired key": f"Bearer {expired}",
        "inactive account": f"Bearer {api_key(inactive)}",
        "unknown token": "Bearer slat_0000000000000000000000000000000000000000000",
        "expired token": f"Bearer {access_token(user, resource=REST, expires_at=yesterday)}",
        "token for MCP": f"Bearer {access_token(user, resource=f'{ORIGIN}/mcp')}",
        "token for another host": f"Bearer {access_token(user, resource='http://other.localhost/api/v1')}",
        "token by path alone": f"Bearer {access_token(user, resource='/api/v1')}",
        "token of an inactive account": f"Bearer {access_token(inactive, resource=REST)}",
        "token of an ended client": f"Bearer {access_token(user, resource=REST, application=ended)}",
        "other scheme": f"Basic {good}",
        "no scheme": good,
        "no token": "Bearer",
        "blank": " ",
        "two headers": f"Bearer {good},Bearer {good_token}",
        "two tokens": f"Bearer {good} {good}",
        "a parameter": f"Bearer token={good}",
        "odd characters": f"Bearer {good}\u00e9",
        "far too long": "Bearer " + "a" * 600,
    }


def test_a_wrong_credential_is_refused_by_every_operation(site: Site) -> None:
    for name, header in wrong_credentials().items():
        for path in ("/me/listings", "/products"):
            response = Client().get(f"/api/v1{path}", headers={"Authorization": header})
            assert (response.status_code, response["WWW-Authenticate"]) == (401, INVALID), name
            detail = response.json()["detail"]
            assert "API key" in detail
            assert response.json()["next_steps"]
            assert "access token" in detail


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", " Bearer "])
def test_the_scheme_may_be_written_in_any_case(scheme: str, owner: ApiClient) -> None:
    assert Client().get("/api/v1/me/listings", headers={"Authorization": f"{scheme} {owner.key}"}).status_code == 200


def test_a_token_elsewhere_than_in_the_header_is_none(owner: ApiClient) -> None:
    client, form = Client(), "application/x-www-form-urlencoded"
    query = {"access_token": str(owner.key)}
    assert client.get("/api/v1/me/listings", query).status_code == 401
    assert client.get("/api/v1/products", query).status_code == 422
    assert client.post("/api/v1/drafts", query, content_type="application/json").status_code == 401
    assert client.post("/api/v1/drafts", f"access_token={owner.key}", content_type=form).status_code == 401
    client.cookies["access_token"] = str(owner.key)
    assert client.get("/api/v1/me/listings").status_code == 401


def test_a_browser_session_opens_no_operation(site: Site) -> None:
    client = Client()
    client.force_login(UserFactory.create(), backend="allauth.account.auth_backends.AuthenticationBackend")
    assert client.get("/api/v1/me/listings").status_code == 401


@pytest.mark.parametrize(
    ("granted", "wanted"),
    [
        ([Scope.ORDERS_WRITE], "listings:write orders:write"),
        ([Scope.ACCOUNT_READ], "account:read listings:write"),
        ([Scope.ORDERS_WRITE, Scope.ACCOUNT_READ], "account:read listings:write orders:write"),
    ],
)
def test_a_missing_scope_is_asked_for_beside_those_that_are_there(
    granted: Iterable[Scope], wanted: str, site: Site
) -> None:
    user = UserFactory.create()
    for raw in (api_key(user, granted), access_token(user, resource=REST, scopes=granted)):
        response = ApiClient(key=raw).post("/drafts", {"url": "https://acme.example"})
        assert response.status_code == 403
        assert response["WWW-Authenticate"] == (
            'Bearer error="insufficient_scope", error_description="This call needs the scope listings:write.", '
            f'{METADATA}, scope="{wanted}"'
        )
        assert response.json()["code"] == "insufficient_scope"
        (step,) = response.json()["next_steps"]
        assert step.startswith(
            f"Create an API key with the scope listings:write on {ORIGIN}/account/keys, or reconnect"
        )


def test_other_refusals_are_no_challenges(owner: ApiClient) -> None:
    answers: list[Any] = [owner.get("/me/listings/1"), owner.delete("/listings"), owner.post("/drafts", {})]
    assert [answer.status_code for answer in answers] == [404, 405, 422]
    assert not [answer for answer in answers if "WWW-Authenticate" in answer]
