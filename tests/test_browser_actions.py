"""What an owner does in the browser, an assistant can do, too."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from apps.core.api import schema
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

OPERATIONS = {
    "archive_listing": "archive_listing",
    "autosave_interview": "answer_interview",
    "autosave_story": "set_founder_story",
    "buy": "create_checkout",
    "buy_launch": "create_checkout",
    "cancel_order": "cancel_order",
    "choose_free": "choose_free_listing",
    "claim_check": "check_claim",
    "claim_new": "claim_website",
    "delete_milestone": "delete_milestone",
    "delete_update": "delete_listing_update",
    "draft_cancel": "cancel_draft",
    "draft_differences": "submit_draft",
    "draft_new": "create_draft",
    "draft_save": "update_draft",
    "draft_submit": "submit_draft",
    "edit_interview": "answer_interview",
    "edit_listing": "update_my_listing",
    "edit_story": "set_founder_story",
    "listing_milestones": "add_milestone",
    "move_launch": "move_launch",
    "new_update": "post_listing_update",
    "profile": "update_profile",
    "remove_photo": "update_profile",
    "restore_listing": "restore_version",
    "unpublish_story": "unpublish_story",
    "upload_photo": "update_profile",
}
EXCEPTIONS = {
    "checkout": "people review and pay what an assistant ordered",
    "checkout_pay": "as above",
    "interview_restore": "answer_interview sends any words, so also earlier ones",
    "notifications": "which emails come is between the person and their mailbox",
    "restore_story": "set_founder_story sends any words, so also earlier ones",
}
# Other people's: visitors, machines, and whoever has the address in an email.
NOT_OWNERS = {
    "follow", "newsletter_subscribe", "newsletter_unsubscribe", "stop_emails", "test_gateway", "unfollow",
    "unsubscribe", "visit_listing", "vote", "webhook",
}  # fmt: skip
# Accounts and their credentials are never an assistant's.
CREDENTIALS = re.compile(r"account/(sign-|keys|apps|sessions|email|password|passkeys|authenticator|recovery)|oauth/")
ELSEWHERE = re.compile(r"admin/|api/|mcp|account/(reauthenticate|verify)")


def routes(found: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Each address of the project with its name."""
    for one in found:
        route = prefix + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from routes(one.url_patterns, route)
        elif one.name and not CREDENTIALS.match(route) and not ELSEWHERE.match(route):
            yield route, one.name


def forms() -> set[str]:
    """The names of the addresses that take forms: asked with another method, they name POST."""
    client = Client(headers={"host": "testserver.localhost"}, raise_request_exception=False)
    client.force_login(UserFactory.create())
    found = set()
    for route, name in routes(get_resolver().url_patterns):
        answer = client.put("/" + re.sub(r"<(\w+:)?\w+>", "1", route))
        if "POST" in answer.headers.get("Allow", ""):
            found.add(name)
    return found


def test_every_action_of_an_owner_is_an_operation_or_has_its_reason() -> None:
    assert forms() == OPERATIONS.keys() | EXCEPTIONS.keys() | NOT_OWNERS


def test_the_operations_exist_and_exceptions_stay_few() -> None:
    operations = {spec["operationId"] for methods in schema.document()["paths"].values() for spec in methods.values()}
    assert set(OPERATIONS.values()) <= operations
    assert len(EXCEPTIONS) <= 8
