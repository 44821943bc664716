"""Requests a minute: who is counted together, what the answer says, and what happens past the limit."""

import logging
import re
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.utils import timezone
from redis import Redis

from apps.accounts.models import User
from apps.core.api import rate_limits
from apps.core.api.audience import METADATA_PATH
from apps.core.errors import TooManyRequests
from apps.core.request.client_ip import client_neighborhood, client_network
from apps.core.stores.valkey import counters
from apps.core.stores.valkey.circuit_breaker import CircuitBreaker
from apps.core.stores.valkey.counters import Limit
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ApplicationFactory, UserFactory, access_token, api_key
from tests.process_caches import reconnect

pytestmark = pytest.mark.db

PER_KEY, PER_ADDRESS = 4, 3
REST = "http://testserver.localhost/api/v1"


@pytest.fixture(autouse=True)
def _limits(settings: Any, site: Site) -> None:
    settings.RATE_LIMIT_PER_KEY = PER_KEY
    settings.RATE_LIMIT_PER_ADDRESS = PER_ADDRESS


def standing(response: Any) -> tuple[str, int, int]:
    """Policy, limit and what is left, by the two headers; fails for any other syntax."""
    policy = re.fullmatch(r'"(\w+)";q=(\d+);w=60', response["RateLimit-Policy"])
    left = re.fullmatch(r'"(\w+)";r=(\d+);t=(\d+)', response["RateLimit"])
    assert policy
    assert left
    assert policy[1] == left[1]
    assert 1 <= int(left[3]) <= 60
    return policy[1], int(policy[2]), int(left[2])


def exhaust(client: ApiClient) -> None:
    """Send requests until one is refused."""
    for _ in range(20):
        if client.get("/products").status_code == 429:
            return
    raise AssertionError("there is no limit")


def test_every_answer_says_what_is_left_and_the_last_how_long_to_wait(owner: ApiClient) -> None:
    answers = [owner.get(path) for path in ("/products", "/me/listings", "/me/listings/1", "/nothing", "/products")]
    counted = [answer for answer in answers if answer.status_code != 404 or "me" in answer.json()["instance"]]
    assert [standing(answer) for answer in counted] == [("key", PER_KEY, left) for left in (3, 2, 1, 0)]
    refused = owner.get("/products")
    assert refused.status_code == 429
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["code"] == "rate_limited"
    assert standing(refused) == ("key", PER_KEY, 0)
    assert refused["RateLimit"].endswith(f"t={refused['Retry-After']}")


def test_an_address_without_a_credential_has_a_limit_of_its_own(owner: ApiClient, anonymous: ApiClient) -> None:
    answers = [anonymous.get("/products"), anonymous.get("/me/listings"), anonymous.delete("/listings")]
    assert [answer.status_code for answer in answers] == [200, 401, 405]
    assert [standing(answer) for answer in answers] == [("address", PER_ADDRESS, left) for left in (2, 1, 0)]
    assert anonymous.get("/products").status_code == 429
    assert standing(owner.get("/products")) == ("key", PER_KEY, PER_KEY - 1)


def test_each_key_is_counted_by_itself(owner: ApiClient) -> None:
    exhaust(owner)
    assert ApiClient(key=api_key(owner.account)).get("/products").status_code == 200


def test_the_tokens_of_a_client_are_counted_by_account_and_client(db: None) -> None:
    users: list[User] = [UserFactory.create(), UserFactory.create()]
    clients = [ApplicationFactory.create(), ApplicationFactory.create()]

    def token(user: User, application: Any) -> ApiClient:
        return ApiClient(key=access_token(user, application=application, resource=REST))

    exhaust(token(users[0], clients[0]))
    assert token(users[0], clients[0]).get("/products").status_code == 429
    assert token(users[0], clients[1]).get("/products").status_code == 200
    assert token(users[1], clients[0]).get("/products").status_code == 200


@pytest.mark.parametrize(
    "header", ["Bearer slip_unknown", "Bearer unknown", "Basic b3duZXI6eA==", "Bearer a, Bearer b"]
)
def test_wrong_credentials_count_by_address(header: str, owner: ApiClient, anonymous: ApiClient) -> None:
    wrong = ApiClient(header=header)
    assert owner.get("/products").status_code == 200
    most = 10 * PER_ADDRESS
    answers = [wrong.get(("/products", "/me/listings")[number % 2]) for number in range(most)]
    assert {answer.status_code for answer in answers} == {401}
    assert [standing(answer) for answer in answers] == [("refused", most, left) for left in reversed(range(most))]
    assert wrong.get("/products").status_code == 429
    # Nobody is locked out by others behind the same address.
    assert owner.get("/products").status_code == 200
    assert anonymous.get("/products").status_code == 200


def test_anyone_who_has_searched_without_a_credential_can_sign_in(owner: ApiClient, anonymous: ApiClient) -> None:
    exhaust(anonymous)
    assert owner.get("/products").status_code == 200


@pytest.mark.slow
def test_wrong_credentials_lock_out_no_good_one_and_go_on_being_told_so(
    settings: Any, owner: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The requests of this test may take longer than a minute.
    monkeypatch.setattr(rate_limits, "WINDOW_SECONDS", 3600)
    settings.RATE_LIMIT_PER_ADDRESS = 30
    expired = access_token(owner.account, resource=REST, expires_at=timezone.now() - timedelta(seconds=1))

    def status_of(token: str) -> int:
        return int(ApiClient(key=token).get("/products").status_code)

    assert {status_of(f"slat_{number}") for number in range(31)} == {401}
    assert status_of(access_token(owner.account, resource=REST)) == 200
    assert status_of(expired) == 401
    assert {status_of(f"slat_{number}") for number in range(32, 300)} == {401}
    assert [status_of("slat_another"), status_of(expired)] == [429, 429]
    assert status_of(access_token(owner.account, resource=REST)) == 200


def test_a_request_past_the_limit_costs_one_query(owner: ApiClient, django_assert_num_queries: Any) -> None:
    exhaust(owner)
    with django_assert_num_queries(1):
        assert owner.get("/products").status_code == 429


def test_one_round_trip_counts_a_request(owner: ApiClient, anonymous: ApiClient, monkeypatch: Any) -> None:
    owner.get("/products")
    trips: list[str] = []
    execute: Any = Redis.execute_command

    def counted(self: Redis, *words: Any, **options: Any) -> Any:
        trips.append(str(words[min(3, len(words) - 1)]).partition(":")[0])
        return execute(self, *words, **options)

    monkeypatch.setattr(Redis, "execute_command", counted)
    assert owner.get("/interview-questions").status_code == 200
    assert trips == ["limit"]
    trips.clear()
    assert anonymous.get("/interview-questions").status_code == 200
    # The answer is looked for in the cache and kept there.
    assert sorted(trips) == ["generation", "limit", "page"]


@pytest.mark.parametrize(
    ("per_key", "per_address", "limited"), [(0, 3, [False, True]), (3, 0, [True, False]), (0, 0, [False, False])]
)
def test_zero_switches_a_limit_off(
    per_key: int, per_address: int, limited: list[bool], settings: Any, owner: ApiClient, anonymous: ApiClient
) -> None:
    settings.RATE_LIMIT_PER_KEY, settings.RATE_LIMIT_PER_ADDRESS = per_key, per_address
    for client, is_limited in zip((owner, anonymous), limited, strict=True):
        answers = [client.get("/products") for _ in range(5)]
        assert (answers[-1].status_code == 429) is is_limited
        assert ("RateLimit" in answers[0]) is is_limited


def test_a_window_ends_with_its_key_in_valkey(owner: ApiClient) -> None:
    exhaust(owner)
    [key] = counters.valkey().scan_iter("limit:*")
    assert 0 < counters.valkey().pttl(key) <= 60_000
    counters.valkey().pexpire(key, 0)
    assert owner.get("/products").status_code == 200


def test_a_burst_at_the_same_time_stays_within_the_limit(settings: Any, rf: Any) -> None:
    settings.RATE_LIMIT_PER_ADDRESS = 25

    def is_let_through(_: int) -> bool:
        try:
            rate_limits.count_address(rf.get("/"))
        except TooManyRequests:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(is_let_through, range(100))) == 25


def test_the_cost_of_counting(rf: Any, settings: Any, measure: Callable[[str, float], None]) -> None:
    settings.RATE_LIMIT_PER_ADDRESS = 10**6
    request = rf.get("/")
    began = time.perf_counter()
    for _ in range(500):
        rate_limits.count_address(request)
    measure("microseconds to count a request", (time.perf_counter() - began) / 500 * 1e6)
    assert rate_limits.rate_limit_headers(request)["RateLimit"].startswith('"address";r=999500;t=')


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("fe80::1%eth0", "fe80::/64"),
        ("a:strange:one", "a:strange:one"),
        ("", "unknown"),
    ],
)
def test_all_addresses_of_a_network_that_one_client_has_count_together(address: str, network: str, rf: Any) -> None:
    assert client_network(rf.get("/", REMOTE_ADDR=address)) == network


@pytest.mark.parametrize(
    ("address", "neighborhood"),
    [
        ("93.184.216.9", "93.184.216.0/24"),
        ("2606:2800:220:2:3:4:5:6", "2606:2800:220::/48"),
        ("::ffff:93.184.216.9", "93.184.216.0/24"),
        ("fe80::1%eth0", ""),
        ("fd00::1", ""),
        ("127.0.0.1", ""),
        ("172.18.0.1", ""),
        ("::ffff:10.0.0.1", ""),
        ("a:strange:one", ""),
        ("", ""),
    ],
)
def test_the_neighborhood_of_an_address(address: str, neighborhood: str, rf: Any) -> None:
    assert client_neighborhood(rf.get("/", REMOTE_ADDR=address)) == neighborhood


def test_questions_of_browsers_and_documents_are_not_counted(anonymous: ApiClient) -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "GET"}
    exhaust(anonymous)
    for path in ("/api/v1/products", "/oauth/token"):
        assert Client().options(path, headers=asked).status_code == 204
    for headers in ({}, {"Authorization": "Bearer slat_wrong"}):
        response = Client().options("/api/v1/products", headers=headers)
        assert response.status_code == 204
        assert "RateLimit" not in response
    for path in ("/api/v1/openapi.json", METADATA_PATH):
        response = Client().get(path)
        assert response.status_code == 200
        assert "RateLimit" not in response


@dataclass
class Broken:
    """A Valkey that hangs up instead of answering; `tried` are the connections to it."""

    settings: Any
    sound_url: str
    tried: list[Any] = field(default_factory=list)

    def mend(self) -> None:
        self.point_to(self.sound_url)

    def point_to(self, url: str) -> None:
        self.settings.REDIS_LIMITS_URL = url
        reconnect()

    def hang_up(self, listener: socket.socket) -> None:
        # Closing alone would not wake up who waits in `accept`: shutting down raises here.
        with suppress(OSError):
            while True:
                connection, address = listener.accept()
                self.tried.append(address)
                connection.close()


@pytest.fixture
def broken(settings: Any) -> Iterator[Broken]:
    made = Broken(settings, settings.REDIS_LIMITS_URL)
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        pool.submit(made.hang_up, listener)
        made.point_to(f"redis://127.0.0.1:{listener.getsockname()[1]}/0")
        yield made
        made.mend()
        listener.shutdown(socket.SHUT_RDWR)


def test_without_valkey_requests_are_let_through_uncounted(
    owner: ApiClient, anonymous: ApiClient, broken: Broken, monkeypatch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rate_limits, "breaker", CircuitBreaker(pause_seconds=0))
    with caplog.at_level(logging.WARNING, logger="apps.core.request.outages"):
        for client in (owner, anonymous):
            answers = [client.get("/products") for _ in range(6)]
            assert {answer.status_code for answer in answers} == {200}
            assert "RateLimit" not in answers[0]
        assert ApiClient(key="slat_unknown").get("/products").status_code == 401
        broken.mend()
        assert standing(owner.get("/products")) == ("key", PER_KEY, PER_KEY - 1)
    assert [record.message for record in caplog.records] == [
        "requests are not counted: Valkey does not answer",
        "requests are counted again",
    ]


def test_an_outage_is_waited_for_by_one_request_alone(owner: ApiClient, broken: Broken, monkeypatch: Any) -> None:
    monkeypatch.setattr(rate_limits, "breaker", CircuitBreaker(pause_seconds=3600))
    owner.get("/products")
    tried = len(broken.tried)
    assert tried
    assert {owner.get("/products").status_code for _ in range(10)} == {200}
    assert len(broken.tried) == tried


def test_a_limit_of_something_else_gives_back_no_more_than_was_taken() -> None:
    limit = Limit("test", count=2, window_seconds=60)
    limit.give_back("me")
    for _ in range(2):
        limit.take("me")
    with pytest.raises(TooManyRequests) as refused:
        limit.take("me")
    assert refused.value.retry_after in range(1, 61)
    limit.give_back("me")
    limit.take("me")
    limit.take("you")


def test_a_limit_of_none_refuses_at_once() -> None:
    with pytest.raises(TooManyRequests):
        Limit("test", count=0, window_seconds=60).take("me")


PAGES = (
    "/search?q=maps",
    "/boards/community-all-time",
    "/boards",
    "/launches.rss",
    "/sitemap.xml",
    "/sitemap-pages.xml",
)


@pytest.mark.parametrize("path", PAGES)
def test_expensive_pages_have_a_limit_of_their_own(
    client: Client, anonymous: ApiClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(rate_limits, "PAGES_A_REQUEST", 1)
    # A form of the client's own keeps its pages out of the public cache, whose answers cost nothing.
    client.cookies[django_settings.CSRF_COOKIE_NAME] = "own"
    assert [client.get(path).status_code for _ in range(PER_ADDRESS)] == [200] * PER_ADDRESS
    for other in PAGES:
        refused = client.get(other)
        assert refused.status_code == 429
        assert 1 <= int(refused["Retry-After"]) <= 60
    assert client.get("/imprint").status_code != 429
    assert anonymous.get("/products").status_code == 200
