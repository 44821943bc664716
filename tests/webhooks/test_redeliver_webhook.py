"""Send one delivery again."""

import pytest

from apps.sites.models import Site
from apps.webhooks.delivery.sending import send_due
from apps.webhooks.models import Delivery
from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, created
from tests.webhooks.happening import happen
from tests.webhooks.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("only_told_events")]


def test_a_delivery_is_sent_again_under_its_id(owner: ApiClient, site: Site, receiver: Receiver) -> None:
    assert owner.user
    path = f"{PATH}/{created(owner, url=receiver.url)['id']}"
    happen(owner.user, site, "order.pending", "order.paid")
    send_due()
    again = f"{path}/deliveries/{Delivery.objects.get(seq=2).pk}/redeliver"

    assert owner.post(again).json()["status"] == "waiting"
    send_due()
    assert receiver.seqs == [1, 2, 2]
    assert receiver.received[1].id == receiver.received[2].id
