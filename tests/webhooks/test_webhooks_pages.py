"""Pages of webhooks: made, tested, paused, rotated, deleted, and the log."""

import re
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.events.types import TYPES
from apps.sites.models import Site
from apps.webhooks import services
from apps.webhooks.delivery.sending import send_due
from apps.webhooks.models import Delivery, Endpoint
from tests.accounts.people import prove_again
from tests.factories import UserFactory
from tests.webhooks.happening import happen
from tests.webhooks.receiver import Receiver, is_signed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("only_told_events")]

LIST, NEW = "/account/webhooks", "/account/webhooks/new"
FORM = {"name": "Books", "format": "standard", "signature": "v1", "events": "all"}


@pytest.fixture
def browser(client: Client, account: User) -> Client:
    """Signed in, and the password was asked again a moment ago."""
    client.force_login(account)
    prove_again(client)
    return client


def secrets_in(answer: Any) -> set[str]:
    return set(re.findall(r"whsec_[A-Za-z0-9+/=]+", answer.content.decode()))


def test_a_webhook_is_made_and_its_secret_shown_once(
    browser: Client, account: User, site: Site, receiver: Receiver
) -> None:
    answer = browser.post(NEW, {**FORM, "url": receiver.url, "events": "chosen", "types": ["order.paid"]})
    assert answer.status_code == 201
    assert "no-store" in answer["Cache-Control"]
    [secret] = secrets_in(answer)
    endpoint = Endpoint.objects.get(account=account)
    happen(account, site, "order.paid", "order.refunded")
    send_due()
    [received] = receiver.received
    assert is_signed(received, secret)
    delivery = Delivery.objects.get()
    pages = [
        LIST,
        f"{LIST}/{endpoint.pk}",
        f"{LIST}/{endpoint.pk}/edit",
        f"{LIST}/{endpoint.pk}/deliveries/{delivery.pk}",
    ]
    for page in pages:
        shown = browser.get(page)
        assert shown.status_code == 200
        assert not secrets_in(shown)


def test_the_password_is_asked_again(client: Client, account: User) -> None:
    endpoint, _ = services.create_webhook_endpoint(account=account, url="https://hooks.example/")
    client.force_login(account)
    for path in (NEW, f"{LIST}/{endpoint.pk}/edit", f"{LIST}/{endpoint.pk}/rotate"):
        answer = client.get(path)
        assert answer.status_code == 302
        assert "reauthenticate" in answer["Location"]


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"url": "http://hooks.example/"}, "url"),
        ({"url": "https://me@hooks.example/"}, "url"),
        ({"url": "https://192.168.0.1/"}, "url"),
        ({"events": "chosen"}, "types"),
        ({"events": "chosen", "types": ["order.nothing"]}, "types"),
        ({"format": "teams"}, "format"),
    ],
)
def test_a_wrong_form_is_given_back(browser: Client, sent: dict[str, Any], field: str) -> None:
    answer = browser.post(NEW, {**FORM, "url": "https://hooks.example/", **sent})

    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert not Endpoint.objects.exists()


def test_other_peoples_webhooks_are_not_found(browser: Client) -> None:
    endpoint, _ = services.create_webhook_endpoint(account=UserFactory.create(), url="https://hooks.example/")
    delivery = services.send_webhook_test(endpoint=endpoint)
    page = f"{LIST}/{endpoint.pk}"
    read = ["", "/edit", "/rotate", f"/deliveries/{delivery.pk}"]
    written = ["/edit", "/rotate", "/test", "/pause", "/resume", "/delete", "/redeliver"]
    written.append(f"/deliveries/{delivery.pk}/redeliver")

    assert {browser.get(f"{page}{path}").status_code for path in read} == {404}
    assert {browser.post(f"{page}{path}", {"after": 0}).status_code for path in written} == {404}
    assert Endpoint.objects.get().is_active


def test_a_webhook_is_tested_paused_edited_rotated_and_deleted(
    browser: Client, account: User, receiver: Receiver
) -> None:
    endpoint, old = services.create_webhook_endpoint(account=account, url=receiver.url, types=["order"])
    page = f"{LIST}/{endpoint.pk}"
    shown = browser.post(f"{page}/test", follow=True)
    send_due()
    assert shown.context["delivery"].is_test
    assert receiver.received[0].id in browser.get(shown.request["PATH_INFO"]).content.decode()

    browser.post(f"{page}/pause")
    assert Endpoint.objects.get().status == "paused"
    browser.post(f"{page}/resume")
    assert Endpoint.objects.get().status == "active"

    form = browser.get(f"{page}/edit").context["form"]
    assert set(form["types"].value()) == {name for name, type_ in TYPES.items() if type_.group == "order"}
    assert browser.post(f"{page}/edit", {**FORM, "url": receiver.url, "name": "Hall"}).status_code == 302
    assert (Endpoint.objects.get().name, Endpoint.objects.get().types) == ("Hall", [])

    [new] = secrets_in(browser.post(f"{page}/rotate"))
    assert new != old
    assert browser.post(f"{page}/delete").status_code == 302
    assert not Endpoint.objects.exists()


def test_events_are_sent_again_from_the_log(browser: Client, account: User, site: Site, receiver: Receiver) -> None:
    endpoint, _ = services.create_webhook_endpoint(account=account, url=receiver.url)
    happen(account, site, "order.pending", "order.paid")
    send_due()
    page = f"{LIST}/{endpoint.pk}"
    browser.post(f"{page}/deliveries/{Delivery.objects.get(seq=2).pk}/redeliver")
    send_due()
    browser.post(f"{page}/redeliver", {"after": "0", "until": "1"})
    send_due()
    browser.post(f"{page}/redeliver", {"after": "0"})
    send_due()

    assert receiver.seqs == [1, 2, 2, 1, 1, 2]
    assert len(browser.get(page, {"status": "delivered"}).context["deliveries"]) == 2
    assert len(browser.get(page, {"status": "failed"}).context["deliveries"]) == 0


def test_an_answer_is_shown_as_text(browser: Client, account: User, site: Site, receiver: Receiver) -> None:
    endpoint, _ = services.create_webhook_endpoint(account=account, url=receiver.url)
    receiver.answer = lambda _: (500, {}, b"<script>alert(1)</script>")
    happen(account, site, "order.paid")
    send_due()
    page = browser.get(f"{LIST}/{endpoint.pk}/deliveries/{Delivery.objects.get().pk}").content.decode()

    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_reference_has_every_type_and_is_linked(client: Client, site: Site, account: User) -> None:
    page = client.get("/reference/webhooks").content.decode()

    assert [name for name in TYPES if f'id="{name}"' not in page] == []
    assert "def is_valid(" in page
    assert "export function isValid(" in page
    assert 'href="/reference/webhooks"' in client.get("/reference").content.decode()
    client.force_login(account)
    assert 'href="/reference/webhooks"' in client.get(LIST).content.decode()
