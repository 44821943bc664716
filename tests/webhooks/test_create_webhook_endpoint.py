"""Create an endpoint: its secret is shown once, and its URL is checked."""

from typing import Any

import pytest
from django.conf import settings

from apps.core.api.scopes import OWNER_SCOPES, Scope
from apps.core.models import IdempotencyRecord
from apps.sites.models import Site
from apps.webhooks import services
from apps.webhooks.delivery.sending import send_due
from apps.webhooks.models import Endpoint
from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, URL, created
from tests.webhooks.happening import happen
from tests.webhooks.receiver import Receiver, is_signed

pytestmark = pytest.mark.django_db


def test_the_secret_is_in_the_first_answer_alone(owner: ApiClient, site: Site, receiver: Receiver) -> None:
    made = created(owner, url=receiver.url, name="Books", types=["order"])
    pages = [owner.get(PATH), owner.get(f"{PATH}/{made['id']}"), owner.patch(f"{PATH}/{made['id']}", {"name": "B"})]

    assert made["secret"].startswith("whsec_")
    for page in pages:
        assert page.status_code == 200
        assert "secret" not in str(page.json()).replace("old_secret_until", "")
    assert owner.user
    happen(owner.user, site, "order.paid", "listing.live")
    send_due()
    [received] = receiver.received
    assert is_signed(received, made["secret"])


def test_a_public_key_is_no_secret(owner: ApiClient) -> None:
    made = created(owner, signature="v1a")

    assert made["secret"] == ""
    assert made["public_key"].startswith("whpk_")
    assert owner.get(f"{PATH}/{made['id']}").json()["public_key"] == made["public_key"]
    assert "whsk_" not in str(made)


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"url": "http://hooks.example/in"}, "not_https", "/url"),
        ({"url": "https://me:word@hooks.example/in"}, "bad_address", "/url"),
        ({"url": "https://10.0.0.1/"}, "private_address", "/url"),
        ({"url": "https://169.254.169.254/"}, "private_address", "/url"),
        ({"url": "https://localhost/"}, "private_address", "/url"),
        ({"url": "https://hooks.example:8443/"}, "bad_address", "/url"),
        ({"url": "ftp://hooks.example/"}, "bad_address", "/url"),
        ({"url": ""}, "blank", "/url"),
        ({"types": ["order.paid", "order.nothing"]}, "unknown_type", "/types/1"),
        ({"types": "order.paid"}, "not_a_list", "/types"),
        ({"format": "teams"}, "invalid_choice", "/format"),
        ({"signature": "v2"}, "invalid_choice", "/signature"),
        ({"name": "x" * 61}, "max_length", "/name"),
        ({"secret": "whsec_mine"}, "unknown_key", "/secret"),
    ],
)
def test_a_wrong_endpoint_is_refused(owner: ApiClient, body: dict[str, Any], code: str, pointer: str) -> None:
    answer = owner.post(PATH, {"url": URL, **body})

    assert answer.status_code == 422
    assert (answer.json()["errors"][0]["code"], answer.json()["errors"][0]["pointer"]) == (code, pointer)
    assert not Endpoint.objects.exists()


def test_an_eleventh_endpoint_is_refused(owner: ApiClient) -> None:
    for _ in range(services.MAX_ENDPOINTS):
        created(owner)
    answer = owner.post(PATH, {"url": URL})

    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_endpoints")
    assert Endpoint.objects.count() == services.MAX_ENDPOINTS


def test_connected_apps_do_not_get_the_permission() -> None:
    assert Scope.WEBHOOKS_WRITE not in OWNER_SCOPES
    assert Scope.WEBHOOKS_WRITE not in settings.OAUTH2_PROVIDER["SCOPES"]


def test_no_answer_with_a_secret_is_kept_for_retries(owner: ApiClient) -> None:
    owner.post(PATH, {"url": URL}, Idempotency_Key="once")

    assert not IdempotencyRecord.objects.exists()
