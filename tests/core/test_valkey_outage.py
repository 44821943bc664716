"""Valkey is out, or accepts connections and stays silent: what cannot be done without it says when to come back."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
from kombu.exceptions import OperationalError
from redis import RedisError

from apps.accounts.oauth import views
from apps.sites.models import Site
from config.celery import app
from tests.accounts.oauth.flow import AuthorizationClient, Person, program
from tests.accounts.people import sign_in
from tests.api import ApiClient
from tests.factories import ListingFactory, UserFactory

pytestmark = pytest.mark.db


@pytest.fixture(params=["refuses", "is silent"])
def outage(request: pytest.FixtureRequest, valkey_out: Callable[[str], AbstractContextManager[str]]) -> Iterator[str]:
    """The address of the server that is asked instead of Valkey."""
    with valkey_out(request.param) as url:
        yield url


def assert_told_when_to_come_back(answer: Any, content_type: str) -> None:
    assert answer.status_code == 503
    assert answer["Retry-After"] == "60"
    assert answer["Content-Type"].split(";")[0] == content_type


@pytest.mark.slow
def test_signing_in_is_a_page_that_says_so(outage: str) -> None:
    answer = sign_in(program(), UserFactory.create().email)
    assert_told_when_to_come_back(answer, "text/html")
    assert "Temporarily unavailable" in answer.content.decode()


@pytest.fixture
def registered(site: Site) -> AuthorizationClient:
    return AuthorizationClient.registered()


@pytest.mark.slow
def test_the_consent_page_is_one_too(registered: AuthorizationClient, outage: str) -> None:
    assert_told_when_to_come_back(Person(UserFactory.create()).ask(registered), "text/html")


@pytest.mark.slow
def test_an_operation_tells_a_problem(owner: ApiClient, outage: str) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    items = [{"product": "launch", "listing_id": listing.pk}]
    answer = owner.post("/orders/quote", {"items": items, "promo_code": "GUESSED"})
    assert_told_when_to_come_back(answer, "application/problem+json")
    assert answer.json()["code"] == "unavailable"


def test_programs_that_ask_for_tokens_are_told_in_json(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_order(*_: object) -> None:
        raise RedisError

    monkeypatch.setattr(views, "exchange", out_of_order)
    answer = AuthorizationClient("somebody").redeem("a code")
    assert_told_when_to_come_back(answer, "application/json")
    assert answer["Cache-Control"] == "no-store"
    assert answer.json()["error"] == "temporarily_unavailable"


@pytest.mark.slow
def test_readiness_names_what_is_out(outage: str) -> None:
    answer = program().get("/readyz")
    assert answer.status_code == 503
    parts = answer.json()["parts"]
    assert {name for name, one in parts.items() if one != "ok"} == {"broker", "beat"}


@pytest.mark.slow
def test_waking_a_worker_ends(outage: str) -> None:
    with app.connection_for_write(outage) as connection, pytest.raises(OperationalError):
        connection.ensure_connection(max_retries=0)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/account/sign-in", "/about/crawler"])
def test_pages_that_do_not_need_it_are_there(path: str, outage: str) -> None:
    assert program().get(path).status_code == 200
