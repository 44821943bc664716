"""Webhooks in the admin: those of sites are managed there, those of accounts are only listed."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.sites.models import Site
from apps.webhooks import services
from apps.webhooks.delivery.sending import send_due
from apps.webhooks.models import Delivery, Endpoint
from tests.webhooks.happening import happen
from tests.webhooks.receiver import Receiver, is_signed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("only_told_events")]

LIST = "/admin/webhooks/endpoint/"


def added(team: Client, site: Site, url: str, **more: str) -> str:
    sent = {"site": site.pk, "name": "Warehouse", "url": url, "format": "standard", "signature": "v1", **more}
    answer = team.post(f"{LIST}add/", sent)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    result = re.search(r"whsec_[A-Za-z0-9+/=]+", answer.content.decode())
    assert result
    return result[0]


def test_a_site_endpoint_is_added_and_its_secret_shown_once(
    team: Client, site: Site, account: User, receiver: Receiver
) -> None:
    secret = added(team, site, receiver.url)
    happen(account, site, "order.paid")
    send_due()

    [received] = receiver.received
    assert is_signed(received, secret)
    assert (received.event["account"], received.event["seq"]) == (str(account.pk), 1)
    endpoint = Endpoint.objects.get()
    assert endpoint.account is None
    for page in (LIST, f"{LIST}{endpoint.pk}/change/", "/admin/webhooks/delivery/"):
        assert "whsec_" not in team.get(page).content.decode()


def test_a_site_endpoint_is_changed_paused_and_deleted(team: Client, site: Site, receiver: Receiver) -> None:
    added(team, site, receiver.url)
    endpoint = Endpoint.objects.get()
    sent = {"name": "Hall", "url": receiver.url, "types": ["order"], "format": "slack", "status": "paused"}
    assert team.post(f"{LIST}{endpoint.pk}/change/", sent).status_code == 302
    endpoint.refresh_from_db()
    assert (endpoint.name, endpoint.types, endpoint.format, endpoint.status) == ("Hall", ["order"], "slack", "paused")

    assert team.post(f"{LIST}{endpoint.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize("url", ["http://public.example/", "https://10.0.0.1/", "https://me@public.example/"])
def test_a_wrong_url_is_refused(team: Client, site: Site, url: str) -> None:
    answer = team.post(f"{LIST}add/", {"site": site.pk, "url": url, "format": "standard", "signature": "v1"})

    assert "url" in answer.context["adminform"].form.errors
    assert not Endpoint.objects.exists()


def act(team: Client, action: str, row: Endpoint | Delivery, confirmed: str = "yes") -> Any:
    """Choose an action for a row of its list, and confirm it."""
    sent = {"action": action, "_selected_action": [row.pk], **({"confirmed": confirmed} if confirmed else {})}
    return team.post(reverse(f"admin:webhooks_{row._meta.model_name}_changelist"), sent)


def test_an_accounts_endpoint_is_shown_without_its_path_and_not_changed(
    team: Client, account: User, receiver: Receiver
) -> None:
    endpoint, _ = services.create_webhook_endpoint(account=account, url=f"{receiver.url}/hidden-part")
    page = team.get(f"{LIST}{endpoint.pk}/change/")

    assert receiver.host in page.content.decode()
    assert "hidden-part" not in page.content.decode() + team.get(LIST).content.decode()
    assert team.post(f"{LIST}{endpoint.pk}/change/", {"name": "Taken"}).status_code == 403
    assert team.post(f"{LIST}{endpoint.pk}/delete/", {"post": "yes"}).status_code == 403
    act(team, "rotate_secret", endpoint)
    assert Endpoint.objects.get().old_secret == ""
    for action, status in (("pause", "paused"), ("resume", "active")):
        before = Endpoint.objects.get().status
        assert act(team, action, endpoint, confirmed="").status_code == 200
        assert Endpoint.objects.get().status == before
        act(team, action, endpoint)
        assert Endpoint.objects.get().status == status


def test_tests_past_the_limit_are_refused_with_the_reason(team: Client, site: Site, receiver: Receiver) -> None:
    added(team, site, receiver.url)
    chosen = {"action": "send_test", "_selected_action": [Endpoint.objects.get().pk], "confirmed": "yes"}
    for _ in range(services.MAX_TESTS_PER_MINUTE):
        team.post(LIST, chosen)
    told = team.post(LIST, chosen, follow=True).context["messages"]
    assert [message.level_tag for message in told][-1] == "error"
    assert Delivery.objects.count() == services.MAX_TESTS_PER_MINUTE


def test_actions_test_rotate_and_send_again(team: Client, site: Site, account: User, receiver: Receiver) -> None:
    added(team, site, receiver.url)
    endpoint = Endpoint.objects.get()
    act(team, "send_test", endpoint)
    assert "whsec_" not in act(team, "rotate_secret", endpoint, confirmed="").content.decode()
    answer = act(team, "rotate_secret", endpoint)
    assert "whsec_" in answer.content.decode()
    happen(account, site, "order.paid")
    send_due()
    act(team, "send_again", Delivery.objects.get(seq=1))
    send_due()

    assert [each.event["type"] for each in receiver.received].count("order.paid") == 2
    assert "webhook.test" in {each.event["type"] for each in receiver.received}
