"""check_claim: the website is visited for its claimant, who then owns the listing."""

from typing import Any

import pytest
from django.utils import timezone

from apps.listings import tasks
from apps.listings.claims.checks import record_check
from apps.listings.claims.proofs import ProofCheck
from apps.listings.models import Claim
from tests.api import ApiClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def claimed(owner: ApiClient, claim: Claim) -> Claim:
    Claim.objects.update(claimant=owner.user)
    claim.refresh_from_db()
    return claim


def test_a_worker_is_asked(
    owner: ApiClient, claimed: Claim, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(tasks.check_claim, "delay", asked.append)
    with django_capture_on_commit_callbacks(execute=True):
        answer = owner.post(f"/claims/{claimed.pk}/check")
    assert (answer.status_code, answer.json()["status"], asked) == (200, "open", [claimed.pk])


def test_an_ended_claim_says_so(owner: ApiClient, claimed: Claim) -> None:
    record_check(claim_id=claimed.pk, check=ProofCheck(timezone.now(), Claim.Method.DNS, "Found."))
    answer = owner.post(f"/claims/{claimed.pk}/check")
    assert (answer.status_code, answer.json()["code"]) == (409, "claim_ended")
    assert owner.get("/me/listings").status_code == 200


def test_ten_checks_an_hour(owner: ApiClient, claimed: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks.check_claim, "delay", lambda pk: None)
    statuses = [owner.post(f"/claims/{claimed.pk}/check").status_code for _ in range(11)]
    assert statuses == [200] * 10 + [429]


def test_nobody_checks_the_claim_of_another_account(other_owner: ApiClient, claimed: Claim) -> None:
    answer = other_owner.post(f"/claims/{claimed.pk}/check")
    assert answer.status_code == 404
    assert "claim_website" in answer.json()["next_steps"][0]
