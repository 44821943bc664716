"""What is one person's is kept by no cache: every address with a session or a key, and addresses that are secrets."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.core.api.scopes import OWNER_SCOPES
from apps.sites.models import Site
from tests.accounts.people import sign_in
from tests.addresses import PROBES, filled, routes
from tests.browsing import browser
from tests.factories import UserFactory, api_key

pytestmark = pytest.mark.django_db

ADDRESSES = sorted({filled(route) for route in routes()} - PROBES)
PRIVATE = ("/account", "/admin/", "/checkout/", "/claims/", "/drafts", "/oauth/", "/orders", "/unsubscribe/")


def assert_kept_by_no_cache(answer: Any, path: str) -> None:
    told = answer.get("Cache-Control", "")
    assert "no-store" in told or told.startswith("public"), (path, answer.status_code, told)
    if path.startswith(PRIVATE):
        assert "no-store" in told, (path, told)


@pytest.fixture
def user(site: Site) -> User:
    return UserFactory.create(is_staff=True, is_superuser=True)


@pytest.mark.slow
def test_every_address_with_a_session(user: User) -> None:
    client = Client(headers={"host": "testserver.localhost"}, raise_request_exception=False)
    client.force_login(user)
    assert len(ADDRESSES) > 200
    for path in ADDRESSES:
        if path == "/account/sign-out":
            continue
        answer = client.get(path)
        assert_kept_by_no_cache(answer, path)
        if answer.get("Cache-Control", "").startswith("public"):
            assert answer.getvalue() == browser().get(path).getvalue(), f"{path} is not the same for everybody"


def test_every_address_with_a_key(user: User) -> None:
    headers = {"Authorization": f"Bearer {api_key(user, OWNER_SCOPES)}"}
    client = Client(HTTP_HOST="testserver.localhost", headers=headers, raise_request_exception=False)
    for path in ADDRESSES:
        if path.startswith("/api/"):
            assert_kept_by_no_cache(client.get(path), path)


@pytest.mark.parametrize("path", ["/account/profile", "/checkout/secret", "/unsubscribe/secret", "/orders", "/drafts"])
def test_private_addresses_without_a_session(site: Site, path: str) -> None:
    assert "no-store" in browser().get(path)["Cache-Control"]


@pytest.mark.parametrize("path", ["/checkout/secret", "/unsubscribe/secret", "/newsletter/unsubscribe/secret"])
def test_secrets_in_addresses_go_nowhere(site: Site, path: str) -> None:
    answer = browser().get(path)
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex, nofollow"


def test_an_answer_that_begins_a_session(user: User) -> None:
    assert "no-store" in sign_in(browser(), user.email)["Cache-Control"]


@pytest.mark.parametrize("path", ["/", "/search", "/api/v1/listings"])
def test_pages_for_everybody_stay_as_they_were(site: Site, path: str) -> None:
    assert "no-store" not in browser().get(path).get("Cache-Control", "")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probes_may_name_any_host(site: Site, path: str) -> None:
    answer = Client(headers={"host": "10.0.0.7:8000"}).get(path)
    assert answer.status_code in {200, 503}
    assert answer.json()["status"] in {"ok", "not ready"}
    assert Client(headers={"host": "10.0.0.7:8000"}).get("/").status_code == 400
