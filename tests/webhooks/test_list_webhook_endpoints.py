"""List an account's endpoints."""

import pytest

from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, created

pytestmark = pytest.mark.django_db


def test_own_endpoints_are_listed_oldest_first(owner: ApiClient, other_owner: ApiClient) -> None:
    ids = [created(owner)["id"] for _ in range(3)]
    created(other_owner)

    assert [item["id"] for item in owner.get(PATH).json()["items"]] == ids


def test_a_list_without_parameters_says_that_it_takes_none(owner: ApiClient) -> None:
    answer = owner.get("/me/webhook-endpoints", {"q": "2"})
    assert answer.status_code == 422
    [problem] = answer.json()["errors"]
    assert (problem["code"], "Unknown key q." in problem["detail"]) == ("unknown_key", True)
