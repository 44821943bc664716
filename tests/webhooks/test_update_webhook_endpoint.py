"""Change, pause and resume an endpoint."""

import pytest

from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, created

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("only_told_events")]


def test_an_endpoint_is_paused_changed_and_deleted(owner: ApiClient) -> None:
    path = f"{PATH}/{created(owner, types=['order'])['id']}"
    changes = {"status": "paused", "types": [], "format": "slack", "url": "https://hooks.example/other"}
    answer = owner.patch(path, changes)

    assert answer.status_code == 200
    assert {name: answer.json()[name] for name in changes} == changes
    assert owner.patch(path, {"types": ["order"]}).status_code == 200
    assert owner.patch(path, {"types": None, "name": None, "url": None}).json()["types"] == ["order"]
    assert owner.patch(path, {"status": "disabled"}).status_code == 422
    assert owner.delete(path).status_code == 204
    assert owner.get(path).status_code == 404
