"""A delivery with its request and answers."""

import pytest

from apps.accounts.models import User
from apps.sites.models import Site
from apps.webhooks import services
from apps.webhooks.delivery.sending import send_due
from apps.webhooks.models import Endpoint
from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, URL, created
from tests.webhooks.happening import happen
from tests.webhooks.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("only_told_events")]


def test_a_delivery_of_another_endpoint_is_not_found(owner: ApiClient, account: User) -> None:
    first, _ = services.create_webhook_endpoint(account=account, url=URL)
    second, _ = services.create_webhook_endpoint(account=account, url=URL)
    delivery = services.send_webhook_test(endpoint=first)

    assert owner.get(f"{PATH}/{second.pk}/deliveries/{delivery.pk}").status_code == 404


def test_the_log_shows_request_and_answers(owner: ApiClient, site: Site, receiver: Receiver) -> None:
    path = f"{PATH}/{created(owner, url=receiver.url)['id']}"
    receiver.answer = lambda _: (500, {}, b"out of order")
    assert owner.user
    happen(owner.user, site, "order.paid")
    send_due()
    [item] = owner.get(f"{path}/deliveries", {"status": "waiting"}).json()["items"]
    details = owner.get(f"{path}/deliveries/{item['id']}").json()

    assert item["event_id"] == receiver.received[0].id
    assert item["next_at"] is not None
    Endpoint.objects.update(status="disabled")
    assert owner.get(f"{path}/deliveries/{item['id']}").json()["next_at"] is None
    assert details["body"].encode() == receiver.received[0].body
    assert [(each["status_code"], each["answer"]) for each in details["attempts"]] == [(500, "out of order")]
    assert owner.get(f"{path}/deliveries", {"status": "delivered"}).json()["total"] == 0
