"""Rotate a secret."""

import pytest

from tests.api import ApiClient
from tests.webhooks.endpoints import PATH, created

pytestmark = pytest.mark.django_db


def test_a_new_secret_is_shown_once(owner: ApiClient) -> None:
    made = created(owner)
    path = f"{PATH}/{made['id']}"
    rotated = owner.post(f"{path}/rotate-secret").json()

    assert rotated["secret"].startswith("whsec_")
    assert rotated["secret"] != made["secret"]
    assert rotated["old_secret_until"] is not None
    assert rotated["secret"] not in str(owner.get(path).json())
