"""The table of Idempotency-Key cases, and what happens at the same time and after crashes."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.core.api import idempotency
from apps.core.models import IdempotencyRecord
from apps.launches.badges import checks
from apps.launches.services import launch
from apps.listings.models import Listing
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.racing import run_at_once

pytestmark = pytest.mark.db


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    return ListingFactory.create(company__owner=owner.user)


def choose(client: ApiClient, listing: Listing, key: str | None = None) -> Any:
    headers = {} if key is None else {"Idempotency_Key": key}
    return client.post(f"/me/listings/{listing.pk}/free", {}, **headers)


def test_the_same_request_gets_the_same_answer(owner: ApiClient, listing: Listing) -> None:
    first = choose(owner, listing, "key-1")
    Listing.objects.filter(pk=listing.pk).update(headline="Changed in between")
    second = choose(owner, listing, "key-1")
    assert (first.status_code, second.status_code) == (200, 200)
    assert "Idempotency-Replayed" not in first.headers
    assert second["Idempotency-Replayed"] == "true"
    assert second.json() == first.json()


def test_bare_and_quoted_are_one_key(owner: ApiClient, listing: Listing) -> None:
    choose(owner, listing, "key-1")
    assert choose(owner, listing, '"key-1"')["Idempotency-Replayed"] == "true"


def test_another_request_with_the_key_is_refused(owner: ApiClient, listing: Listing) -> None:
    other = ListingFactory.create(company__owner=owner.user)
    choose(owner, listing, "key-1")
    answer = choose(owner, other, "key-1")
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    other.refresh_from_db()
    assert other.status == Listing.Status.DRAFT


@pytest.mark.parametrize("key", ["", " ", "a b", "a" * 256, "schlüssel", '""', "\x7f"])
def test_a_malformed_key_is_refused(owner: ApiClient, listing: Listing, key: str) -> None:
    answer = choose(owner, listing, key)
    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key_malformed")


def test_keys_of_different_accounts_are_different(owner: ApiClient, other_owner: ApiClient, listing: Listing) -> None:
    theirs = ListingFactory.create(company__owner=other_owner.user)
    assert choose(owner, listing, "key-1").status_code == 200
    answer = choose(other_owner, theirs, "key-1")
    assert answer.status_code == 200
    assert "Idempotency-Replayed" not in answer.headers


def test_a_refusal_is_not_stored(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.filter(pk=listing.pk).update(status="in_review")
    assert choose(owner, listing, "key-1").status_code == 409
    assert not IdempotencyRecord.objects.exists()
    Listing.objects.filter(pk=listing.pk).update(status="draft")
    assert choose(owner, listing, "key-1").status_code == 200


def test_a_crash_stores_nothing(owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    original = launch.choose_free_listing

    def crash(**kwargs: Any) -> None:
        original(**kwargs)
        raise RuntimeError

    monkeypatch.setattr(launch, "choose_free_listing", crash)
    assert choose(owner, listing, "key-1").status_code == 500
    listing.refresh_from_db()
    assert listing.status == Listing.Status.DRAFT
    assert not IdempotencyRecord.objects.exists()


def test_a_key_can_be_used_again_after_a_day(owner: ApiClient, listing: Listing) -> None:
    other = ListingFactory.create(company__owner=owner.user)
    choose(owner, listing, "key-1")
    IdempotencyRecord.objects.update(created_at=timezone.now() - idempotency.LIFETIME - timedelta(minutes=1))
    assert choose(owner, other, "key-1").status_code == 200
    IdempotencyRecord.objects.update(created_at=timezone.now() - idempotency.LIFETIME - timedelta(minutes=1))
    assert idempotency.delete_expired() == 1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_run_once(owner: ApiClient, listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "WAIT_SECONDS", 0.0)
    runs = Counter[str]()
    original = launch.choose_free_listing

    def counted(**kwargs: Any) -> Any:
        runs["choose"] += 1
        return original(**kwargs)

    monkeypatch.setattr(launch, "choose_free_listing", counted)
    answers = run_at_once(*[lambda: choose(ApiClient(key=owner.key), listing, "key-1")] * 20)
    assert runs["choose"] == 1
    assert Counter(answer.status_code for answer in answers) == {200: 20}
    assert sum("Idempotency-Replayed" in answer.headers for answer in answers) == 19
