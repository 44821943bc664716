"""An account's own endpoints, and nobody else's."""

import pytest

from apps.accounts.models import User
from apps.core.api.scopes import Scope
from apps.webhooks import services
from apps.webhooks.models import Endpoint
from tests.api import ApiClient
from tests.factories import api_key
from tests.webhooks.endpoints import PATH, URL, created

pytestmark = pytest.mark.django_db


def test_the_path_is_shown_only_with_the_scope_to_change_it(owner: ApiClient, account: User) -> None:
    endpoint_id = created(owner, url="https://hooks.example/services/hidden-part?token=1")["id"]
    reader = ApiClient(account, key=api_key(account, [Scope.ACCOUNT_READ]))
    path = f"{PATH}/{endpoint_id}"

    assert reader.get(path).json()["url"] == "https://hooks.example/..."
    assert [item["url"] for item in reader.get(PATH).json()["items"]] == ["https://hooks.example/..."]
    assert owner.get(path).json()["url"].endswith("/services/hidden-part?token=1")
    assert owner.get(PATH).json()["items"][0]["url"].endswith("/services/hidden-part?token=1")


def test_other_peoples_endpoints_are_not_found(owner: ApiClient, other_owner: ApiClient, account: User) -> None:
    endpoint, _ = services.create_webhook_endpoint(account=account, url=URL)
    delivery = services.send_webhook_test(endpoint=endpoint)
    path = f"{PATH}/{endpoint.pk}"
    answers = [
        other_owner.get(path),
        other_owner.patch(path, {"name": "Mine"}),
        other_owner.delete(path),
        other_owner.post(f"{path}/rotate-secret"),
        other_owner.post(f"{path}/test"),
        other_owner.post(f"{path}/redeliver", {"after": 0}),
        other_owner.get(f"{path}/deliveries"),
        other_owner.get(f"{path}/deliveries/{delivery.pk}"),
        other_owner.post(f"{path}/deliveries/{delivery.pk}/redeliver"),
    ]

    assert {answer.status_code for answer in answers} == {404}
    assert other_owner.get(PATH).json() == {"items": []}
    assert Endpoint.objects.get().name == ""
