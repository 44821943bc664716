"""Requests as strangers send them: hosts, methods, bodies and names that nobody expects."""

import io
import logging
from typing import Any

import orjson
import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client

from apps.core.request.client_ip import client_address
from apps.core.web.body_limits import MAX_REST_BYTES, with_lengths
from apps.core.web.middleware import ProxyMiddleware
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory

ADDRESSES = ["/me/listings/1", "/me/listings/1/free", "/orders/SL-0000000000", "/drafts/1", "/drafts/1/submit"]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_no_method_of_no_persona_is_an_error_of_ours(
    address: str, method: str, owner: ApiClient, anonymous: ApiClient
) -> None:
    for client in (owner, anonymous):
        response = client.http.generic(
            method,
            f"/api/v1{address}",
            b"{}",
            content_type="application/json",
            headers={"Authorization": client.header} if client.header else {},
        )
        if method == "OPTIONS":
            assert response.status_code == 204
            continue
        assert response.status_code in {401, 404, 405}, (method, address)
        assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/", "/listings/x", "/api/v1/listings", "/account/sign-in"])
@pytest.mark.parametrize("host", ["evil.example", "", "a b", "127.0.0.1:99999:1"])
def test_a_foreign_host_is_a_bad_request(client: Client, site: Site, path: str, host: str) -> None:
    response = client.get(path, headers={"Host": host})
    assert response.status_code == 400


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["/api/v1/nope", "/api/v1/drafts/abc", "/api/v1/listings/1/nope"])
def test_an_unknown_api_address_is_404_for_every_method(site: Site, method: str, path: str) -> None:
    response = Client(enforce_csrf_checks=True).generic(method, path, b"{}", content_type="application/json")
    assert (response.status_code, orjson.loads(response.content)["code"]) == (404, "not_found")


def test_the_document_is_only_read(site: Site) -> None:
    response = Client(enforce_csrf_checks=True).post("/api/v1/openapi.json")
    assert (response.status_code, orjson.loads(response.content)["code"]) == (405, "method_not_allowed")


def test_what_an_operation_does_not_read_is_refused(owner: ApiClient, anonymous: ApiClient) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    path = f"/me/listings/{listing.pk}/free"
    assert owner.post(path, {"week": "now"}).json()["errors"][0]["pointer"] == "/week"
    assert owner.post(path, b"{").status_code == 400
    assert anonymous.get("/products", {"x": "1"}).json()["errors"][0]["pointer"] == "/x"
    listing.refresh_from_db()
    assert listing.status == Listing.Status.DRAFT


def test_a_body_full_of_unknown_keys_is_told_its_beginning(owner: ApiClient) -> None:
    body = {"url": "https://acme.example"} | {f"key{number}": 1 for number in range(5000)}
    assert len(owner.post("/drafts", body).json()["errors"]) <= 20


def test_keys_named_like_an_error_are_no_error_of_their_own(owner: ApiClient) -> None:
    body = {"url": "https://acme.example", "message": "x", "code": "y"}
    errors = owner.post("/drafts", body).json()["errors"]
    assert {error["pointer"]: error["code"] for error in errors} == {"/message": "unknown_key", "/code": "unknown_key"}


def test_the_same_key_on_another_site_is_another_request(owner: ApiClient, site: Site) -> None:
    first = owner.post("/drafts", {"url": "https://acme.example"}, Idempotency_Key="k")
    elsewhere = ApiClient(key=owner.key, host="other.localhost")
    second = elsewhere.post("/drafts", {"url": "https://acme.example"}, Idempotency_Key="k")
    assert first.status_code == 201
    assert (second.status_code, second.json()["code"]) == (422, "idempotency_key_reused")


def test_an_announced_upload_past_the_limit_is_refused_unread(client: Client, site: Site) -> None:
    response = client.generic("POST", "/account/profile", b"x", CONTENT_LENGTH=str(2**40))
    assert response.status_code == 413


def test_a_chunked_body_gets_its_length() -> None:
    seen: dict[str, Any] = {}
    unanswered: Any = None

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.update(environ, body=environ["wsgi.input"].read())
        return []

    chunked = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": io.BytesIO(b"a" * 20)}
    with_lengths(application, most=100)(chunked, unanswered)
    assert (seen["CONTENT_LENGTH"], len(seen["body"])) == ("20", 20)
    chunked = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": io.BytesIO(b"a" * 200)}
    with_lengths(application, most=100)(chunked, unanswered)
    assert seen["CONTENT_LENGTH"] == "101"


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/v1/nothing", 404), ("/api/v1/me/listings/1/free", 401), ("/oauth/token", 400), ("/", 405)],
)
@pytest.mark.parametrize("size", [10, 2000, 200_000, MAX_REST_BYTES])
def test_an_early_answer_leaves_nothing_on_the_connection(
    path: str, status: int, size: int, client: Client, site: Site
) -> None:
    # What stands behind the body belongs to the next request.
    sent = io.BytesIO(b"x" * size + b"GET / HTTP/1.1")
    environ: dict[str, Any] = {"wsgi.input": sent}
    response = client.generic("POST", path, b"x" * size, content_type="application/json", **environ)
    assert response.status_code == status
    assert sent.read() == b"GET / HTTP/1.1"


def test_not_all_of_a_huge_body_is_read(client: Client, site: Site) -> None:
    sent = io.BytesIO(b"x" * (MAX_REST_BYTES + 1))
    environ: dict[str, Any] = {"wsgi.input": sent}
    client.generic("POST", "/api/v1/nothing", sent.getvalue(), **environ)
    assert sent.tell() == MAX_REST_BYTES


def through_proxy(rf: Any, **headers: str) -> HttpRequest:
    """What views get of a request that a proxy on 10.0.0.1 passes on."""
    request: HttpRequest = rf.get("/", REMOTE_ADDR="10.0.0.1", **headers)
    ProxyMiddleware(lambda _: HttpResponse())(request)
    return request


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("1.1.1.1, 203.0.113.9", "203.0.113.9"),
        ("203.0.113.9:51234", "203.0.113.9"),
        ("2001:DB8::9", "2001:db8::9"),
        ("[2001:db8::9]", "2001:db8::9"),
        ("[2001:db8::9]:443", "2001:db8::9"),
        ('"[2001:db8::9]:443"', "2001:db8::9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("[::ffff:203.0.113.9]:51234", "203.0.113.9"),
        ("fe80::9%eth0", "fe80::9"),
        ("1.1.1.1,", "10.0.0.1"),
        ("unknown", "10.0.0.1"),
        ("999.1.1.1", "10.0.0.1"),
        ("", "10.0.0.1"),
    ],
)
def test_the_proxy_names_the_client_in_any_form(settings: Any, rf: Any, header: str, address: str) -> None:
    settings.BEHIND_PROXY = True
    assert client_address(through_proxy(rf, HTTP_X_FORWARDED_FOR=header)) == address


@pytest.mark.parametrize(
    ("header", "address"),
    [
        ("for=203.0.113.9", "203.0.113.9"),
        ("For=1.1.1.1;proto=http, proto=https;FOR=203.0.113.9;by=10.0.0.1", "203.0.113.9"),
        ('for="203.0.113.9:51234"', "203.0.113.9"),
        ('for="[2001:db8::9]:443"', "2001:db8::9"),
        ('for=1.1.1.1, for="[::ffff:203.0.113.9]"', "203.0.113.9"),
        # What the client wrote ends nowhere, or names another client in the text of a parameter.
        ('for="1.1.1.1, for=203.0.113.9', "203.0.113.9"),
        ('for="1.1.1.1, for="[2001:db8::9]"', "2001:db8::9"),
        ('for=203.0.113.9;host="a, for=1.1.1.1"', "203.0.113.9"),
        ('for=203.0.113.9;host="a;for=1.1.1.1"', "203.0.113.9"),
        ("for=203.0.113.9;for=1.1.1.1", "203.0.113.9"),
        ("for=_hidden", "10.0.0.1"),
        ("for=unknown", "10.0.0.1"),
        ("proto=https", "10.0.0.1"),
    ],
)
def test_the_proxy_names_the_client_in_the_standard_header(settings: Any, rf: Any, header: str, address: str) -> None:
    settings.BEHIND_PROXY = True
    assert client_address(through_proxy(rf, HTTP_FORWARDED=header)) == address


def test_the_proxys_older_header_comes_first(settings: Any, rf: Any) -> None:
    settings.BEHIND_PROXY = True
    request = through_proxy(rf, HTTP_X_FORWARDED_FOR="203.0.113.9", HTTP_FORWARDED="for=1.1.1.1")
    assert client_address(request) == "203.0.113.9"


def test_the_proxy_names_the_scheme_in_the_standard_header(settings: Any, rf: Any) -> None:
    settings.BEHIND_PROXY = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert through_proxy(rf, HTTP_FORWARDED="for=203.0.113.9;proto=HTTPS").is_secure()
    assert not through_proxy(rf, HTTP_FORWARDED="proto=https, for=203.0.113.9").is_secure()


@pytest.mark.parametrize(
    ("peer", "address"), [("::ffff:203.0.113.9", "203.0.113.9"), ("[2001:db8::9]", "2001:db8::9"), ("unix", "unix")]
)
def test_a_peer_without_a_proxy_is_a_bare_address(rf: Any, peer: str, address: str) -> None:
    assert client_address(rf.get("/", REMOTE_ADDR=peer)) == address


def test_each_request_is_logged_by_its_route(client: Client, site: Site, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="apps.core.web.middleware"):
        client.get("/checkout/a-very-secret-address")
    [record] = [record for record in caplog.records if record.name == "apps.core.web.middleware"]
    assert (record.__dict__["status"], record.__dict__["method"]) == (404, "GET")
    assert "a-very-secret" not in str(record.__dict__)


@pytest.mark.parametrize("path", ["/robots.txt", "/about/crawler"])
def test_the_pages_that_robots_and_webmasters_ask_for(client: Client, site: Site, path: str) -> None:
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("query", ["types=order&types=listing", "after=1&after=1", "nothing=1&nothing=2"])
def test_a_name_sent_twice_in_a_query_is_an_error(owner: ApiClient, query: str) -> None:
    response = owner.http.get(f"/api/v1/events?{query}", headers={"Authorization": str(owner.header)})

    assert response.status_code == 422
    name = query.partition("=")[0]
    assert [(error["code"], error["pointer"]) for error in response.json()["errors"]] == [("repeated", f"/{name}")]


@pytest.mark.parametrize("path", ["listings", "leaderboards/community-weekly", "me/listings", "orders"])
@pytest.mark.parametrize("page", ["999999999", "9" * 18, "9" * 30])
def test_no_page_is_too_far_for_the_database(path: str, page: str, owner: ApiClient) -> None:
    assert owner.get(f"/{path}", {"page": page, "per_page": "100"}).status_code in {200, 422}
