"""What an owner does in the browser, an assistant can do, too, and the tour shows every page."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from apps.core.api import schema
from tests.browser.tour.pages import listed, names_in
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
    "draft_upload": "update_draft",
    "draft_submit": "submit_draft",
    "edit_interview": "answer_interview",
    "edit_listing": "update_my_listing",
    "edit_story": "set_founder_story",
    "listing_milestones": "add_milestone",
    "listing_pictures": "update_my_listing",
    "move_launch": "move_launch",
    "new_update": "post_listing_update",
    "profile": "update_profile",
    "remove_photo": "update_profile",
    "restore_listing": "restore_version",
    "unpublish_story": "unpublish_story",
    "upload_photo": "update_profile",
    "upload_picture": "update_my_listing",
    "webhook_endpoint_delete": "delete_webhook_endpoint",
    "webhook_endpoint_pause": "update_webhook_endpoint",
    "webhook_endpoint_resume": "update_webhook_endpoint",
    "webhook_endpoint_test": "send_webhook_test",
    "webhook_redeliver": "redeliver_webhook",
    "webhook_redeliver_since": "redeliver_events",
}
EXCEPTIONS = {
    "checkout": "people review and pay what an assistant ordered",
    "checkout_pay": "as above",
    "draft_preview": "it saves nothing, and shows what submit_draft would make",
    "interview_restore": "answer_interview sends any words, so also earlier ones",
    "mark_notifications_read": "what a person has read is theirs to say",
    "notification_settings": "which emails come is between the person and their mailbox",
    "restore_story": "set_founder_story sends any words, so also earlier ones",
}
# Other people's: visitors, machines, and those who have the address in an email.
NOT_OWNERS = {
    "confirm_reminder", "finish_setup", "first_admin", "follow", "follow_collection", "follow_founder",
    "newsletter_confirm", "newsletter_subscribe",
    "newsletter_subscribe_email", "newsletter_unsubscribe", "newsletter_unsubscribe_email", "remind", "remind_email",
    "setup", "stop_emails", "test_gateway", "unfollow", "unsubscribe", "visit_listing", "vote", "webhook",
}  # fmt: skip
# No program writes comments or reviews, decides about them or verifies them (tests/comments/test_list_comments.py and
# tests/reviews/test_list_reviews.py), or makes collections.
OF_PEOPLE = {
    "delete_collection", "edit_collection", "new_collection", "save_to_collections",
    "add_customer_domain", "answer_review", "delete_review", "edit_review", "new_review", "new_review_link",
    "remove_customer_domain", "revoke_review_link",
    "delete_comment", "edit_comment", "hide_comment", "new_comment", "pin_comment", "reply_to_comment",
    "show_comment", "unpin_comment",
    # Nor do programs report what people wrote, or appeal (tests/moderation/test_reports.py).
    "appeal", "report",
}  # fmt: skip
# Accounts and their credentials are never an assistant's.
CREDENTIALS = re.compile(
    r"account/(sign-|proof|keys|apps|sessions|email|password|passkeys|authenticator|recovery|data|delete)|oauth/"
)
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
    result = set()
    for route, name in routes(get_resolver().url_patterns):
        answer = client.put("/" + re.sub(r"<(\w+:)?\w+>", "1", route))
        if "POST" in answer.headers.get("Allow", ""):
            result.add(name)
    return result


@pytest.mark.slow
def test_every_action_of_an_owner_is_an_operation_or_has_its_reason() -> None:
    assert forms() == OPERATIONS.keys() | EXCEPTIONS.keys() | NOT_OWNERS | OF_PEOPLE


def test_the_operations_exist_and_exceptions_stay_few() -> None:
    operations = {spec["operationId"] for methods in schema.document()["paths"].values() for spec in methods.values()}
    assert set(OPERATIONS.values()) <= operations
    assert len(EXCEPTIONS) <= 8


def test_every_page_is_in_the_tour_or_says_why_not() -> None:
    assert set(names_in(get_resolver().url_patterns)) == listed()
