"""What is never answered from the cache, and what never gets into it."""

import logging
from typing import Any

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory, override_settings
from django.urls import resolve

from apps.accounts.models import User
from apps.core.api.scopes import OWNER_SCOPES
from apps.core.stores.valkey.generations import cache_client
from apps.core.web.public_cache import FROM_CACHE, store
from apps.core.web.public_cache.answers import is_public
from apps.core.web.public_cache.cache_keys import cache_key_of, encoding_for
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.core.public_cache.commits import committed
from tests.core.public_cache.visitors import HOST, visitor, without_the_database
from tests.factories import ListingFactory, UserFactory, api_key


def pages() -> int:
    """How many answers are kept."""
    return sum(len(key) == len("page:") + 64 for key in cache_client().scan_iter("page:*"))


@pytest.fixture
def user(site: Site) -> User:
    with committed():
        ListingFactory.create(site=site, live=True, slug="acme")
        made: User = UserFactory.create()
    return made


@pytest.fixture
def kept(user: User) -> None:
    """Pages that are in the cache."""
    for path in ("/", "/api/v1/listings", "/listings/acme"):
        assert visitor().get(path).status_code == 200
        with without_the_database():
            visitor().get(path)


@pytest.mark.parametrize("cookie", ["sessionid=unknown", "csrftoken=one", "messages=two", "other=1; sessionid=unknown"])
def test_a_visitor_with_a_cookie_of_ours_asks_the_view(kept: None, cookie: str) -> None:
    before = pages()
    answer = visitor(cookie=cookie).get("/")
    assert "ETag" not in answer
    assert "public" not in answer["Cache-Control"]
    assert pages() == before


def test_a_cookie_of_somebody_else_changes_nothing(kept: None) -> None:
    with without_the_database():
        visitor(cookie="theme=dark; _ga=1").get("/")


def test_somebody_signed_in_sees_their_own_page_and_leaves_none(kept: None, user: User) -> None:
    client = visitor()
    client.force_login(user)
    answer = client.get("/")
    assert user.email in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert user.email not in visitor().get("/").content.decode()


def test_a_credential_asks_the_view_and_leaves_nothing(kept: None, user: User) -> None:
    key = api_key(user, OWNER_SCOPES)
    before = pages()
    assert visitor(authorization="Bearer wrong").get("/api/v1/listings").status_code == 401
    answer = visitor(authorization=f"Bearer {key}").get("/api/v1/listings")
    assert "no-store" in answer["Cache-Control"]
    assert "/api/v1/products" not in visitor(authorization=f"Bearer {key}").get("/api/v1/products?x=1")
    assert pages() == before


@pytest.mark.parametrize(
    "headers",
    [
        {"x-forwarded-host": "evil.example"},
        {"x-forwarded-proto": "https"},
        {"x-forwarded-for": "1.2.3.4"},
        {"x-original-url": "/account"},
        {"forwarded": "host=evil.example"},
        {"accept": "application/json"},
        {"accept-language": "de"},
        {"range": "bytes=0-9"},
        {"user-agent": "evil"},
        {"x-http-method-override": "POST"},
    ],
)
def test_headers_poison_nothing(user: User, headers: dict[str, str]) -> None:
    odd = visitor(**headers).get("/listings/acme")
    with without_the_database():
        plain = visitor().get("/listings/acme")
    assert plain.status_code == odd.status_code == 200
    assert plain.content == odd.content
    assert b"evil" not in plain.content


@pytest.mark.parametrize("host", ["evil.example", "testserver.localhost@evil.example"])
def test_a_host_that_is_not_served_is_refused_and_not_kept(kept: None, host: str) -> None:
    before = pages()
    assert visitor(host=host).get("/").status_code == 400
    assert pages() == before


def test_each_host_has_its_own_pages(kept: None) -> None:
    assert visitor(host=f"{HOST}:8000").get("/api/v1/listings?per_page=1").status_code == 200
    answer = visitor(host="localhost:9").get("/api/v1/listings?per_page=1")
    assert b":8000" not in answer.content


@pytest.mark.parametrize("path", ["/listings/none", "/api/v1/listings?page=0", "/api/v1/no", "/api/v1/me/listings"])
def test_errors_are_not_kept(kept: None, path: str) -> None:
    before = pages()
    answer = visitor().get(path)
    assert answer.status_code >= 400
    assert answer["Cache-Control"] == "private, no-cache"
    assert pages() == before


def test_only_get_leaves_an_answer(user: User) -> None:
    visitor().head("/")
    visitor().post("/")
    visitor().options("/")
    assert pages() == 0


def test_a_query_is_part_of_the_question_whatever_its_order(user: User) -> None:
    one = visitor().get("/search?q=acme&category=")
    with without_the_database():
        assert visitor().get("/search?category=&q=acme").content == one.content
    assert visitor().get("/search?q=other").content != one.content


def test_campaigns_see_the_page_and_leave_none(kept: None) -> None:
    before = pages()
    with without_the_database():
        visitor().get("/listings/acme?utm_source=news&ref=somebody")
    visitor().get("/boards?utm_source=news")
    assert pages() == before


def test_the_api_refuses_what_it_does_not_know_as_ever(kept: None) -> None:
    assert visitor().get("/api/v1/listings?utm_source=news").status_code == 422


def test_invented_queries_have_room_of_their_own(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BYTES_A_MINUTE", 60_000)
    for number in range(30):
        visitor().get(f"/search?q={number}")
    assert 0 < pages() < 30
    before = pages()
    visitor().get("/categories")
    assert pages() == before + 1


def test_large_answers_are_not_kept(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 10)
    assert visitor().get("/").status_code == 200
    assert pages() == 0


def test_requests_are_counted_as_ever(user: User, settings: Any) -> None:
    settings.RATE_LIMIT_PER_ADDRESS = 3
    answers = [visitor().get("/api/v1/listings") for _ in range(5)]
    left = [answer["RateLimit"].partition("r=")[2].partition(";")[0] for answer in answers]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert left == ["2", "1", "0", "0", "0"]
    assert answers[-1]["Content-Type"] == "application/problem+json"


def _answer(**headers: str) -> HttpResponse:
    return HttpResponse("text", headers=headers)


def test_which_answers_are_public() -> None:
    with_cookie = _answer()
    with_cookie.set_cookie("one", "two")
    for response in (
        with_cookie,
        StreamingHttpResponse(["text"]),
        HttpResponse(status=404),
        HttpResponse(status=302),
        HttpResponse(status=206),
        _answer(**{"Cache-Control": "no-store"}),
        _answer(**{"Cache-Control": "private"}),
        _answer(**{"Cache-Control": "public, no-store"}),
        _answer(**{"Cache-Control": "max-age=60"}),
        _answer(Vary="Accept-Language"),
        _answer(Vary="*"),
    ):
        assert not is_public(response)
    assert is_public(_answer())
    assert is_public(_answer(**{"Cache-Control": "public, max-age=300", "Vary": "Cookie, origin"}))


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("", "identity"),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0.5, gzip;q=0.9", "gzip"),
        ("br;q=0, gzip;q=0", "identity"),
        ("*", "br"),
        ("identity;q=1, gzip;q=0.5", "identity"),
        ("GZIP;Q=1.0", "gzip"),
        ("gzip;q=much", "identity"),
    ],
)
def test_which_encoding_a_client_gets(accepted: str, encoding: str) -> None:
    assert encoding_for(accepted) == encoding


@override_settings(ALLOWED_HOSTS=["one.example", "two.example"])
def test_keys_differ_where_answers_may() -> None:
    factory = RequestFactory()

    def key(path: str, **more: Any) -> str:
        cache_key = cache_key_of(factory.get(path, **{"SERVER_NAME": "one.example", **more}))
        assert cache_key is not None
        return cache_key.name

    keys = [
        key("/"),
        key("/?a=1"),
        key("/?a="),
        key("/?a=1&a=2"),
        key("/?a=2&a=1"),
        key("/a"),
        key("/", SERVER_NAME="two.example"),
        key("/", SERVER_PORT="8000"),
        key("/", **{"wsgi.url_scheme": "https"}),
    ]
    assert len(set(keys)) == len(keys)
    assert key("/?a=1&b=2") == key("/?b=2&a=1")
    assert key("/", headers={"x-forwarded-host": "two.example"}) == keys[0]
    assert cache_key_of(factory.get("/account/keys", SERVER_NAME="one.example")) is None
    assert cache_key_of(factory.get("/" + "a" * 700, SERVER_NAME="one.example")) is None
    assert cache_key_of(factory.get("/", SERVER_NAME="three.example")) is None


def test_cached_answers_are_counted_and_logged_under_their_route(kept: None, caplog: pytest.LogCaptureFixture) -> None:
    paths = ["/", "/listings/acme", "/api/v1/listings"]
    with caplog.at_level(logging.INFO, logger="apps.core.web.middleware"):
        for path in paths:
            visitor().get(path)
    assert [record.__dict__["route"] for record in caplog.records] == [resolve(path).route for path in paths]


@pytest.mark.parametrize("path", ["/", "/listings/acme", "/api/v1/listings"])
def test_a_process_may_repeat_what_no_limit_counts(kept: None, settings: Any, path: str) -> None:
    environ = visitor().get(path).wsgi_request.META
    assert environ[FROM_CACHE] == (Listing.objects.get().pk if "acme" in path else None)
    assert FROM_CACHE not in visitor(cookie="sessionid=unknown").get(path).wsgi_request.META
    settings.RATE_LIMIT_PER_ADDRESS = 300
    cache_client().flushdb()
    for _ in range(2):
        environ = visitor().get(path).wsgi_request.META
    assert (FROM_CACHE in environ) == (not path.startswith("/api/"))
