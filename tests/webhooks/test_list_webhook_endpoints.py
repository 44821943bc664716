"""List an account's endpoints."""

import pytest

from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, created

pytestmark = pytest.mark.django_db


def test_own_endpoints_are_listed_oldest_first(owner: ApiClient, other_owner: ApiClient) -> None:
    ids = [created(owner)["id"] for _ in range(3)]
    created(other_owner)

    assert [item["id"] for item in owner.get(PATH).json()["items"]] == ids
