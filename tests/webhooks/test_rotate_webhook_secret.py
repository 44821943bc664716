"""Rotate a secret."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from apps.core.models import IdempotencyRecord
from apps.webhooks.delivery.signing import signed_headers
from apps.webhooks.models import Endpoint
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


def signatures() -> int:
    headers = signed_headers(Endpoint.objects.get(), id_="evt_1", body=b"{}", now=timezone.now())
    return len(headers["webhook-signature"].split())


def test_each_old_secret_signs_as_long_as_was_promised(owner: ApiClient) -> None:
    path = f"{PATH}/{created(owner)['id']}"
    began = timezone.now()
    for hours in (0, 1, 2):
        with time_machine.travel(began + timedelta(hours=hours), tick=False):
            assert owner.post(f"{path}/rotate-secret").status_code == 200
            assert signatures() == hours + 2
    with time_machine.travel(began + timedelta(hours=3), tick=False):
        refused = owner.post(f"{path}/rotate-secret")
        assert (refused.status_code, refused.json()["code"]) == (409, "too_many_old_secrets")
        assert f"{began + timedelta(hours=24):%H:%M} UTC" in refused.json()["detail"]
        assert refused["Retry-After"] == str(21 * 3600)
    with time_machine.travel(began + timedelta(hours=24, minutes=1), tick=False):
        assert signatures() == 3
        assert owner.post(f"{path}/rotate-secret").status_code == 200
    with time_machine.travel(began + timedelta(hours=49), tick=False):
        assert signatures() == 1


def test_a_repeated_request_gets_the_same_secret_which_is_kept_encrypted(owner: ApiClient) -> None:
    path = f"{PATH}/{created(owner)['id']}/rotate-secret"
    first, again = (owner.post(path, **{"Idempotency-Key": "once"}) for _ in range(2))

    assert (first.json(), again["Idempotency-Replayed"]) == (again.json(), "true")
    assert first.json()["secret"] not in str(IdempotencyRecord.objects.values())
    IdempotencyRecord.objects.update(body="of another SECRET_KEY")
    assert owner.post(path, **{"Idempotency-Key": "once"}).json()["code"] == "idempotency_key_reused"
