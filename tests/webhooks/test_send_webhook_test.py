"""Send a test to an endpoint."""

import pytest

from apps.webhooks import services
from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, created

pytestmark = pytest.mark.django_db


def test_tests_are_limited_and_not_repeated(owner: ApiClient) -> None:
    path = f"{PATH}/{created(owner)['id']}"
    first, *_ = [owner.post(f"{path}/test") for _ in range(services.MAX_TESTS_PER_MINUTE)]

    assert first.status_code == 201
    assert first.json()["type"] == "webhook.test"
    assert owner.post(f"{path}/test").status_code == 429
    assert owner.post(f"{path}/deliveries/{first.json()['id']}/redeliver").status_code == 422
