"""One table of every operation: who may call it. An operation that is missing here fails."""

from typing import Any

import pytest

from apps.core.api import schema
from apps.core.api.scopes import Scope
from tests.api import ApiClient
from tests.factories import UserFactory, api_key

READ, LISTINGS, ORDERS = Scope.ACCOUNT_READ, Scope.LISTINGS_WRITE, Scope.ORDERS_WRITE
WEBHOOKS = Scope.WEBHOOKS_WRITE
_ENDPOINT = "/me/webhook-endpoints/1"

OPERATIONS: dict[str, tuple[str, str, Scope | None]] = {
    "search_listings": ("GET", "/listings", None),
    "get_leaderboard": ("GET", "/leaderboards/community-weekly", None),
    "list_products": ("GET", "/products", None),
    "list_interview_questions": ("GET", "/interview-questions", None),
    "answer_interview": ("PUT", "/me/interview", LISTINGS),
    "set_founder_story": ("PUT", "/me/listings/1/story", LISTINGS),
    "list_my_listings": ("GET", "/me/listings", READ),
    "get_my_listing": ("GET", "/me/listings/1", READ),
    "update_my_listing": ("PATCH", "/me/listings/1", LISTINGS),
    "add_milestone": ("POST", "/me/listings/1/milestones", LISTINGS),
    "delete_milestone": ("DELETE", "/me/listings/1/milestones/1", LISTINGS),
    "get_badges": ("GET", "/me/listings/1/badges", READ),
    "choose_free_listing": ("POST", "/me/listings/1/free", LISTINGS),
    "post_listing_update": ("POST", "/me/listings/1/updates", LISTINGS),
    "create_draft": ("POST", "/drafts", LISTINGS),
    "get_draft": ("GET", "/drafts/1", READ),
    "update_draft": ("PATCH", "/drafts/1", LISTINGS),
    "submit_draft": ("POST", "/drafts/1/submit", LISTINGS),
    "cancel_draft": ("POST", "/drafts/1/cancel", LISTINGS),
    "get_listing": ("GET", "/listings/acme", None),
    "list_categories": ("GET", "/categories", None),
    "list_comments": ("GET", "/listings/acme/comments", None),
    "list_weeks": ("GET", "/weeks", None),
    "get_profile": ("GET", "/me/profile", READ),
    "update_profile": ("PATCH", "/me/profile", LISTINGS),
    "get_statistics": ("GET", "/me/listings/1/statistics", READ),
    "move_launch": ("POST", "/me/listings/1/move", LISTINGS),
    "recrawl_listing": ("POST", "/me/listings/1/recrawl", LISTINGS),
    "claim_website": ("POST", "/claims", LISTINGS),
    "check_claim": ("POST", "/claims/1/check", LISTINGS),
    "list_versions": ("GET", "/me/listings/1/versions", READ),
    "restore_version": ("POST", "/me/listings/1/versions/1/restore", LISTINGS),
    "delete_listing_update": ("DELETE", "/me/listings/1/updates/1", LISTINGS),
    "unpublish_story": ("POST", "/me/listings/1/story/unpublish", LISTINGS),
    "archive_listing": ("POST", "/me/listings/1/archive", LISTINGS),
    "cancel_order": ("POST", "/orders/SL-0000000000/cancel", ORDERS),
    "quote_order": ("POST", "/orders/quote", ORDERS),
    "create_checkout": ("POST", "/orders/checkout", ORDERS),
    "list_events": ("GET", "/events", READ),
    "list_my_orders": ("GET", "/orders", READ),
    "get_order": ("GET", "/orders/SL-0000000000", READ),
    "list_webhook_endpoints": ("GET", "/me/webhook-endpoints", READ),
    "create_webhook_endpoint": ("POST", "/me/webhook-endpoints", WEBHOOKS),
    "get_webhook_endpoint": ("GET", _ENDPOINT, READ),
    "update_webhook_endpoint": ("PATCH", _ENDPOINT, WEBHOOKS),
    "delete_webhook_endpoint": ("DELETE", _ENDPOINT, WEBHOOKS),
    "rotate_webhook_secret": ("POST", f"{_ENDPOINT}/rotate-secret", WEBHOOKS),
    "send_webhook_test": ("POST", f"{_ENDPOINT}/test", WEBHOOKS),
    "redeliver_events": ("POST", f"{_ENDPOINT}/redeliver", WEBHOOKS),
    "list_webhook_deliveries": ("GET", f"{_ENDPOINT}/deliveries", READ),
    "get_webhook_delivery": ("GET", f"{_ENDPOINT}/deliveries/1", READ),
    "redeliver_webhook": ("POST", f"{_ENDPOINT}/deliveries/1/redeliver", WEBHOOKS),
}


# Where another scope is enough in place of the table's.
OR_SCOPES = {"get_draft": LISTINGS, "get_my_listing": LISTINGS, "get_order": ORDERS}


def declared() -> dict[str, dict[str, Any]]:
    return {spec["operationId"]: spec for methods in schema.document()["paths"].values() for spec in methods.values()}


def call(client: ApiClient, name: str) -> Any:
    method, path, _ = OPERATIONS[name]
    if method in {"GET", "DELETE"}:
        return getattr(client, method.lower())(path)
    return getattr(client, method.lower())(path, {})


def wrong_requests(client: ApiClient, name: str) -> set[tuple[int, str]]:
    """Return the error for an unknown query parameter, or for a malformed, missing or wrongly typed body."""
    method, path, _ = OPERATIONS[name]
    sent = [(b"", "application/json"), (b"{", "application/json"), (b"[]", "application/json"), (b"a=1", "text/plain")]
    headers = {"Authorization": client.header, "Idempotency-Key": " "} if client.header else {}
    answers = [
        client.http.generic(
            method,
            f"/api/v1{path}",
            body,
            content_type=media_type,
            query_params={"no_such_name": "1"},
            headers=headers,
            HTTP_HOST=client.host,
        )
        for body, media_type in sent
    ]
    return {(answer.status_code, answer.json()["code"]) for answer in answers}


def test_the_table_is_the_interface() -> None:
    assert {name: spec["x-slipway"]["scope"] for name, spec in declared().items()} == {
        name: scope and str(scope) for name, (_, _, scope) in OPERATIONS.items()
    }
    or_scopes = {name: spec["x-slipway"].get("or_scope") for name, spec in declared().items()}
    assert {name: scope for name, scope in or_scopes.items() if scope} == OR_SCOPES


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_operation_asks_for_its_scope(name: str, anonymous: ApiClient, db: None) -> None:
    scope = OPERATIONS[name][2]
    if scope is None:
        assert call(anonymous, name).status_code in {200, 404}
        return
    assert call(anonymous, name).status_code == 401
    user = UserFactory.create()
    enough = {scope, OR_SCOPES.get(name, scope)}
    without = ApiClient(user, key=api_key(user, [other for other in Scope if other not in enough]))
    answer = call(without, name)
    assert answer.status_code == 403
    assert answer.json()["code"] == "insufficient_scope"
    assert scope in answer.json()["detail"]
    assert wrong_requests(without, name) == {(403, "insufficient_scope")}
    assert wrong_requests(ApiClient(), name) == {(401, "not_authenticated")}
    for one in enough:
        allowed = ApiClient(user, key=api_key(user, [one]))
        assert call(allowed, name).status_code not in {401, 403}
