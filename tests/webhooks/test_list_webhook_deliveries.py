"""List an endpoint's deliveries."""

import pytest

from apps.sites.models import Site
from apps.webhooks.delivery.sending import send_due
from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, created
from tests.webhooks.happening import happen
from tests.webhooks.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("only_told_events")]


def test_deliveries_are_listed_newest_first(owner: ApiClient, site: Site, receiver: Receiver) -> None:
    assert owner.user
    path = f"{PATH}/{created(owner, url=receiver.url)['id']}"
    happen(owner.user, site, "order.pending", "order.paid")
    send_due()
    page = owner.get(f"{path}/deliveries", {"per_page": "1"}).json()

    assert [(item["seq"], item["status"]) for item in page["items"]] == [(2, "delivered")]
    assert page["total"] == 2
    assert owner.get(f"{path}/deliveries", {"status": "failed"}).json()["items"] == []
    assert owner.get(f"{path}/deliveries", {"status": "lost"}).status_code == 422
