"""Who reads from the replica: anonymous reads of public addresses, while it has everything that was acknowledged."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings as configured
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from apps.core.stores.replica import reading
from apps.core.stores.replica.reading import REPLICA, begin_reading, read_alias
from apps.core.stores.replica.router import ReplicaRouter
from apps.core.stores.valkey import generations
from apps.core.web import public_reads
from apps.core.web.public_reads import ReplicaMiddleware, is_public_read
from apps.sites.models import Site

PRIMARY = "default"
SESSION = {configured.SESSION_COOKIE_NAME: "x"}
KEY = {"Authorization": "Bearer x"}


class Replica:
    """A replica that has caught up or not; counts how often a write was noted."""

    has_caught_up = True
    noted = 0

    def note(self) -> None:
        self.noted += 1


@pytest.fixture
def replica(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Replica:
    made = Replica()
    settings.DATABASE_REPLICA_URL = "postgresql://"
    monkeypatch.setattr(reading, "_has_caught_up", lambda: made.has_caught_up)
    monkeypatch.setattr(public_reads, "note_write", made.note)
    return made


def answer(request: HttpRequest, *statuses: int, read: Callable[[], str] = read_alias) -> tuple[int, list[str]]:
    """The status of the middleware's answer over a view that answers so, and where it read each time."""
    left, aliases = list(statuses), []

    def view(request: HttpRequest) -> HttpResponse:
        aliases.append(read())
        return HttpResponse(status=left.pop(0))

    return ReplicaMiddleware(view)(request).status_code, aliases


@pytest.mark.parametrize(
    ("path", "cookies", "headers", "is_public"),
    [
        ("/", {}, {}, True),
        ("/listings/acme", {"theme": "dark"}, {}, True),
        ("/api/v1/listings?q=a", {}, {}, True),
        ("/sitemap.xml", {}, {}, True),
        ("/", SESSION, {}, False),
        ("/api/v1/listings?q=a", {}, KEY, False),
        ("/account", {}, {}, False),
        ("/checkout/secret", {}, {}, False),
    ],
)
def test_whose_requests_may_read_from_the_replica(
    path: str, cookies: dict[str, str], headers: dict[str, str], is_public: bool
) -> None:
    factory = RequestFactory(headers=headers)
    factory.cookies.load(cookies)
    assert is_public_read(factory.get(path)) is is_public
    assert not is_public_read(factory.post(path))


def test_a_request_reads_from_one_place_and_from_the_primary_after_a_write(replica: Replica) -> None:
    router = ReplicaRouter()
    assert router.db_for_read(Site) == PRIMARY, "outside of requests"
    with begin_reading(may_use_replica=True):
        assert router.db_for_read(Site) == REPLICA
        replica.has_caught_up = False
        assert router.db_for_read(Site) == REPLICA
        assert router.db_for_write(Site) == PRIMARY
        assert router.db_for_read(Site) == PRIMARY
    with begin_reading(may_use_replica=True):
        assert router.db_for_read(Site) == PRIMARY, "it is behind"


@pytest.mark.django_db
def test_a_transaction_reads_from_the_primary(replica: Replica) -> None:
    with begin_reading(may_use_replica=True):
        assert read_alias() == PRIMARY


def test_what_one_server_cannot_answer_is_read_from_the_other(replica: Replica) -> None:
    page = RequestFactory().get("/")
    assert answer(page, 200) == (200, [REPLICA])
    assert answer(page, 503, 200) == (200, [REPLICA, PRIMARY])
    assert answer(page, 500, 500) == (500, [REPLICA, PRIMARY])
    assert answer(page, 404) == (404, [REPLICA])
    replica.has_caught_up = False
    assert answer(page, 503, 200) == (200, [PRIMARY, REPLICA])
    assert answer(RequestFactory(headers=KEY).get("/"), 503) == (503, [PRIMARY])
    wrote = answer(page, 503, read=lambda: (read_alias(), ReplicaRouter().db_for_write(Site))[1])
    assert wrote == (503, [PRIMARY]), "what may have been done already is not done again"


def test_what_may_have_written_is_noted_before_it_is_answered(replica: Replica) -> None:
    assert answer(RequestFactory().post("/"), 302) == (302, [PRIMARY])
    assert replica.noted == 1
    answer(RequestFactory().get("/"), 200)
    assert replica.noted == 1
    answer(RequestFactory().get("/"), 200, read=lambda: ReplicaRouter().db_for_write(Site))
    assert replica.noted == 2


def test_a_write_is_noted_before_it_ends_what_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(generations, "before_change", [lambda: order.append("noted")])
    monkeypatch.setattr(generations.breaker, "call", lambda _: order.append("begun"))
    generations._Change(["site:1"])()
    assert order == ["noted", "begun"]
