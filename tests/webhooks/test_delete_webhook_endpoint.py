"""Delete an endpoint."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.own_data.deletion import erase_account
from apps.sites.models import Site
from apps.webhooks import services
from apps.webhooks.delivery.queueing import queue_events
from apps.webhooks.delivery.sending import send_due
from apps.webhooks.models import Delivery, Endpoint
from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, created
from tests.webhooks.happening import happen
from tests.webhooks.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("only_told_events")]


def test_an_endpoint_is_deleted_with_its_log(owner: ApiClient, site: Site, receiver: Receiver) -> None:
    assert owner.user
    path = f"{PATH}/{created(owner, url=receiver.url)['id']}"
    happen(owner.user, site, "order.paid")
    send_due()

    assert owner.delete(path).status_code == 204
    assert owner.get(path).status_code == owner.delete(path).status_code == 404
    assert not Delivery.objects.exists()


def test_an_erased_account_locks_its_endpoints_before_their_deliveries(
    account: User, other_owner: ApiClient, site: Site, receiver: Receiver
) -> None:
    created(other_owner)
    for _ in range(2):
        services.create_webhook_endpoint(account=account, url=receiver.url)
    happen(account, site, "order.paid")
    queue_events()
    User.objects.filter(pk=account.pk).update(deletion_due_at=timezone.now())
    with CaptureQueriesContext(connection) as queries:
        assert erase_account(account.pk)

    about = [query["sql"] for query in queries if "webhooks_" in query["sql"]]
    locks = [number for number, sql in enumerate(about) if "FOR NO KEY UPDATE" in sql]
    deletions = [number for number, sql in enumerate(about) if sql.startswith('DELETE FROM "webhooks_delivery"')]
    assert len(locks) == 2
    assert locks[0] < deletions[0]
    assert Endpoint.objects.get().account == other_owner.user
    assert not Delivery.objects.exists()
