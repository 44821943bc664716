"""Outgoing emails in the admin: what has not left, and another try."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from apps.core.email import delivery
from apps.core.models import OutgoingEmail
from tests.email_server import EmailServer
from tests.factories import UserFactory
from tests.outgoing import email_to, put, serving

pytestmark = pytest.mark.db

ADMIN_LIST = "/admin/core/outgoingemail/"


@pytest.fixture
def server(settings: Any) -> Iterator[EmailServer]:
    with serving(settings) as server:
        yield server


def team(*permissions: str) -> Client:
    user = UserFactory.create(is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client(headers={"host": "testserver.localhost"})
    client.force_login(user)
    return client


@pytest.fixture
def of_every_state(db: None) -> None:
    for name in ("waiting", "failed", "sent", "held"):
        put(f"{name}@example.com", text=f"Secret of {name}")
    now = timezone.now()
    OutgoingEmail.objects.filter(to="waiting@example.com").update(attempts=3, send_at=now + timedelta(hours=1))
    OutgoingEmail.objects.filter(to="failed@example.com").update(failed_at=now, attempts=1, last_error="550 no")
    OutgoingEmail.objects.filter(to="sent@example.com").update(sent_at=now, text="")
    OutgoingEmail.objects.filter(to="held@example.com").update(leased_at=now, attempts=2)


@pytest.mark.usefixtures("of_every_state")
def test_the_admin_lists_what_has_not_left() -> None:
    page = team("view_outgoingemail").get(ADMIN_LIST).content.decode()
    assert "waiting@example.com" in page
    assert "failed@example.com" in page
    assert "sent@example.com" not in page
    for status, shown in {"given_up": "failed", "sent": "sent", "waiting": "waiting"}.items():
        assert (
            f"{shown}@example.com" in team("view_outgoingemail").get(f"{ADMIN_LIST}?status={status}").content.decode()
        )


@pytest.mark.usefixtures("of_every_state")
def test_the_admin_shows_no_text_and_changes_none() -> None:
    client = team("view_outgoingemail", "change_outgoingemail", "add_outgoingemail", "delete_outgoingemail")
    row = email_to("failed@example.com")
    page = client.get(f"{ADMIN_LIST}{row.pk}/change/")
    assert page.status_code == 200
    assert "Secret" not in page.content.decode()
    assert client.post(f"{ADMIN_LIST}{row.pk}/change/", {"to": "other@example.com"}).status_code == 403
    assert client.post(f"{ADMIN_LIST}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get(f"{ADMIN_LIST}add/").status_code == 403
    assert email_to("failed@example.com").to == "failed@example.com"


def _try_again(client: Client, **sent: str) -> int:
    chosen = list(OutgoingEmail.objects.values_list("pk", flat=True))
    answer = client.post(f"{ADMIN_LIST}?status=all", {"action": "try_again", "_selected_action": chosen, **sent})
    return answer.status_code


@pytest.mark.usefixtures("of_every_state")
def test_site_admins_have_emails_tried_again(server: EmailServer) -> None:
    client = team("view_outgoingemail", "change_outgoingemail")
    assert _try_again(client) == 200
    assert email_to("failed@example.com").failed_at
    assert _try_again(client, confirmed="yes") == 302
    delivery.send_batch()
    assert {message["To"] for message in server.messages} == {"waiting@example.com", "failed@example.com"}
    assert email_to("held@example.com").attempts == 2


@pytest.mark.usefixtures("of_every_state")
def test_trying_again_needs_the_permission() -> None:
    before = list(OutgoingEmail.objects.order_by("pk").values())
    _try_again(team("view_outgoingemail"), confirmed="yes")
    assert list(OutgoingEmail.objects.order_by("pk").values()) == before
