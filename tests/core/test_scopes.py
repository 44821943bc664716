"""One table of every operation: who may call it. An operation that is missing here fails."""

from typing import Any

import pytest

from apps.core.api import schema
from apps.core.api.scopes import Scope
from apps.sites.reference.examples import PARAMETERS
from tests.api import ApiClient
from tests.factories import UserFactory, api_key

READ, LISTINGS, ORDERS = Scope.ACCOUNT_READ, Scope.LISTINGS_WRITE, Scope.ORDERS_WRITE
WEBHOOKS = Scope.WEBHOOKS_WRITE

OPERATIONS: dict[str, Scope | None] = {
    "search_listings": None,
    "get_leaderboard": None,
    "list_products": None,
    "list_interview_questions": None,
    "answer_interview": LISTINGS,
    "set_founder_story": LISTINGS,
    "list_my_listings": READ,
    "get_my_listing": READ,
    "update_my_listing": LISTINGS,
    "add_milestone": LISTINGS,
    "delete_milestone": LISTINGS,
    "get_badges": READ,
    "choose_free_listing": LISTINGS,
    "post_listing_update": LISTINGS,
    "create_draft": LISTINGS,
    "get_draft": READ,
    "update_draft": LISTINGS,
    "submit_draft": LISTINGS,
    "cancel_draft": LISTINGS,
    "get_listing": None,
    "list_categories": None,
    "list_comments": None,
    "list_reviews": None,
    "list_weeks": None,
    "get_profile": READ,
    "update_profile": LISTINGS,
    "get_statistics": READ,
    "move_launch": LISTINGS,
    "recrawl_listing": LISTINGS,
    "claim_website": LISTINGS,
    "check_claim": LISTINGS,
    "list_versions": READ,
    "restore_version": LISTINGS,
    "delete_listing_update": LISTINGS,
    "unpublish_story": LISTINGS,
    "archive_listing": LISTINGS,
    "cancel_order": ORDERS,
    "quote_order": ORDERS,
    "create_checkout": ORDERS,
    "list_events": READ,
    "list_my_orders": READ,
    "get_order": READ,
    "list_webhook_endpoints": READ,
    "create_webhook_endpoint": WEBHOOKS,
    "get_webhook_endpoint": READ,
    "update_webhook_endpoint": WEBHOOKS,
    "delete_webhook_endpoint": WEBHOOKS,
    "rotate_webhook_secret": WEBHOOKS,
    "send_webhook_test": WEBHOOKS,
    "redeliver_events": WEBHOOKS,
    "list_webhook_deliveries": READ,
    "get_webhook_delivery": READ,
    "redeliver_webhook": WEBHOOKS,
}


# Where another scope is enough in place of the table's.
OR_SCOPES = {"get_draft": LISTINGS, "get_my_listing": LISTINGS, "get_order": ORDERS}


def declared() -> dict[str, dict[str, Any]]:
    return {spec["operationId"]: spec for methods in schema.document()["paths"].values() for spec in methods.values()}


def request_line(name: str) -> tuple[str, str]:
    """Return the method and path of an operation, with example values in the path."""
    for path, methods in schema.document()["paths"].items():
        for method, spec in methods.items():
            if spec["operationId"] == name:
                return method.upper(), path.removeprefix("/api/v1").format(**PARAMETERS)
    raise LookupError(name)


def call(client: ApiClient, name: str) -> Any:
    method, path = request_line(name)
    if method in {"GET", "DELETE"}:
        return getattr(client, method.lower())(path)
    return getattr(client, method.lower())(path, {})


def wrong_requests(client: ApiClient, name: str) -> set[tuple[int, str]]:
    """Return the error for an unknown query parameter, or for a malformed, missing or wrongly typed body."""
    method, path = request_line(name)
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
        name: scope and str(scope) for name, scope in OPERATIONS.items()
    }
    or_scopes = {name: spec["x-slipway"].get("or_scope") for name, spec in declared().items()}
    assert {name: scope for name, scope in or_scopes.items() if scope} == OR_SCOPES


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_operation_asks_for_its_scope(name: str, anonymous: ApiClient, db: None) -> None:
    scope = OPERATIONS[name]
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
