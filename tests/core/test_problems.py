"""Everything that goes wrong under /api is a problem document."""

from typing import Any

import orjson
import pytest
from django.test import Client

from apps.core.api import schema
from apps.listings.api.search import ListingViewSet
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import ListingFactory

pytestmark = pytest.mark.db

KEYS = {"type", "title", "status", "detail", "instance", "code", "request_id", "errors"}


def assert_problem(response: Any, status: int, code: str) -> dict[str, Any]:
    body: dict[str, Any] = orjson.loads(response.content)
    assert response.status_code == status, body
    assert response["Content-Type"] == "application/problem+json"
    assert body.keys() >= KEYS
    assert (body["status"], body["code"]) == (status, code)
    assert body["request_id"] == response["X-Request-ID"]
    return body


@pytest.mark.parametrize(
    "path", ["/api/v1/nothing", "/api/v2/listings", "/api", "/api/v1", "/api/v1/", "/api/v1/listings//"]
)
def test_unknown_addresses(site: Site, path: str) -> None:
    assert_problem(Client().get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "lister"),
    [
        ("get", "/me/listings/999999", "list_my_listings"),
        ("get", "/me/listings/999999/badges", "list_my_listings"),
        ("post", "/me/listings/999999/updates", "list_my_listings"),
        ("put", "/me/listings/999999/story", "list_my_listings"),
        ("get", "/orders/SL-0000000000", "list_my_orders"),
    ],
)
def test_where_nothing_is_the_operation_that_lists_is_named(
    owner: ApiClient, method: str, path: str, lister: str
) -> None:
    answer = getattr(owner, method)(path)
    assert_problem(answer, 404, "not_found")
    [step] = answer.json()["next_steps"]
    assert lister in step.split()


@pytest.mark.parametrize(
    ("path", "query", "words"),
    [
        ("/leaderboards/community-weekly", {"week": "47"}, "Use an ISO week such as 2026-W50."),
        ("/leaderboards/community-monthly", {"month": "November"}, "Use a month such as 2026-11."),
        ("/leaderboards/community-yearly", {"year": "26"}, "Use a year such as 2026."),
        ("/listings", {"week": "this"}, "Use an ISO week such as 2026-W50."),
    ],
)
def test_a_text_of_another_form_is_refused_in_the_fields_own_words(
    anonymous: ApiClient, path: str, query: dict[str, str], words: str
) -> None:
    answer = anonymous.get(path, query)
    (error,) = assert_problem(answer, 422, "invalid")["errors"]
    assert error["detail"].endswith(words)
    (name,) = query
    operations = [spec for methods in schema.document()["paths"].values() for spec in methods.values()]
    parameters = [parameter for spec in operations for parameter in spec.get("parameters", [])]
    assert any(one["name"] == name and one["description"].endswith(words.rsplit(" ", 1)[1]) for one in parameters)


def test_a_method_that_is_not_there(owner: ApiClient, anonymous: ApiClient) -> None:
    for client in (owner, anonymous):
        assert_problem(client.delete("/listings"), 405, "method_not_allowed")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "malformed"),
        (b"[]", 400, "malformed"),
        (b'"text"', 400, "malformed"),
        (b'{"url": NaN}', 400, "malformed"),
        (b"\xff\xfe", 400, "malformed"),
        (b'{"url": "a\\u0000b"}', 400, "malformed"),
        (b'{"a":' * 200 + b"1" + b"}" * 200, 400, "malformed"),
        (b'{"a":' * 100_000, 413, "too_large"),
        (b'{"url": "' + b"a" * 300_000 + b'"}', 413, "too_large"),
        (b"{}", 422, "invalid"),
        (b"", 422, "invalid"),
        (b'{"url": 5}', 422, "invalid"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_bodies_that_cannot_be_used(owner: ApiClient, body: bytes, status: int, code: str) -> None:
    assert_problem(owner.post("/drafts", body), status, code)


def test_another_content_type(owner: ApiClient) -> None:
    response = owner.http.post(
        "/api/v1/drafts", "url=x", content_type="text/plain", headers={"Authorization": f"Bearer {owner.key}"}
    )
    assert_problem(response, 415, "unsupported_media_type")


def test_unknown_keys_and_wrong_values_are_told_together(owner: ApiClient) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    fields = {"headlin": "x", "founded_year": "2020", "logo_url": "ftp://example.com"}
    body = owner.patch(f"/me/listings/{listing.pk}", {"fields": fields, "apply": []}).json()
    assert {error["pointer"] for error in body["errors"]} == {
        "/apply", "/fields/headlin", "/fields/founded_year", "/fields/logo_url"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("ulr", "Did you mean url?"),
        ("wait", "Did you mean wait_seconds?"),
        ("website", "Did you mean url?"),
        ("language", "Use one of: url, refresh, site, wait_seconds."),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known(owner: ApiClient, key: str, hint: str) -> None:
    body = assert_problem(owner.post("/drafts", {key: "https://acme.example"}), 422, "invalid")
    unknown = next(error for error in body["errors"] if error["code"] == "unknown_key")
    assert unknown["pointer"] == f"/{key}"
    assert hint in unknown["detail"]


@pytest.mark.parametrize(
    ("item", "pointer", "hint"),
    [
        ("launch", "/items/0", "product"),
        ({"product": "launch", "billing_country": "DE"}, "/items/0/billing_country", "beside `items`"),
        ({"product": "launch", "weeks": "2026-W50"}, "/items/0/weeks", '["2026-W50"]'),
        ({"product": "launch", "amount_cents": "$400"}, "/items/0/amount_cents", "cents, such as 9900"),
    ],
)
def test_a_wrong_part_of_a_body_is_told_what_to_send(owner: ApiClient, item: Any, pointer: str, hint: str) -> None:
    body = assert_problem(owner.post("/orders/quote", {"items": [item]}), 422, "invalid")
    told = {error["pointer"]: error["detail"] for error in body["errors"]}
    assert hint in told[pointer]


def test_a_name_with_the_same_words_is_suggested_and_a_chance_likeness_is_not(owner: ApiClient) -> None:
    listing = ListingFactory.create(company__owner=owner.user)
    body = owner.put(f"/me/listings/{listing.pk}/story", {"how_it_started": "x"}).json()
    assert "Did you mean how_started?" in body["detail"]
    body = owner.patch(f"/me/listings/{listing.pk}", {"fields": {"tagline": "x"}}).json()
    assert "Did you mean headline?" in body["detail"]


def test_an_unexpected_exception_says_nothing_of_itself(
    anonymous: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def explode(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr(ListingViewSet, "parse_query", explode)
    body = assert_problem(anonymous.get("/listings"), 500, "internal_error")
    assert "swordfish" not in orjson.dumps(body).decode()
    assert "the password is swordfish" in caplog.text


@pytest.mark.parametrize(
    ("sent", "is_kept"), [("abcdef12-3456", True), ("short", False), ("x" * 65, False), ("evil id 1234", False)]
)
def test_the_callers_request_id_is_kept_when_harmless(site: Site, sent: str, is_kept: bool) -> None:
    response = Client().get("/api/v1/products", headers={"X-Request-ID": sent})
    assert (response["X-Request-ID"] == sent) is is_kept
    assert len(response["X-Request-ID"]) >= 8


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (None, 401),
        ("Bearer", 401),
        ("Bearer ", 401),
        ("Basic b3duZXI6eA==", 401),
        ("Bearer slip_000000000000000000000000000000000000000", 401),
    ],
)
def test_without_a_good_credential_the_answer_is_a_challenge(site: Site, header: str | None, status: int) -> None:
    response = ApiClient(header=header).get("/me/listings")
    assert_problem(response, status, "not_authenticated")
    assert response["WWW-Authenticate"].startswith("Bearer ")
