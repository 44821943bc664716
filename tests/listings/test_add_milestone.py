"""add_milestone: what is taken, who sees it, what is refused."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.core.api import schema
from apps.core.api.scopes import Scope
from apps.listings.models import Listing, ListingVersion, Milestone
from apps.listings.services.milestones import MAX_MILESTONES
from tests.api import ApiClient
from tests.factories import ListingFactory, api_key
from tests.listings.milestones import GOOD, add, fill
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing(owner: ApiClient) -> Listing:
    return ListingFactory.create(live=True, company__owner=owner.user)


def test_a_milestone_is_added(owner: ApiClient, listing: Listing) -> None:
    sent = {**GOOD, "title": " <b>A\u202e thousand ", "description": "One\r\ntwo", "url": "https://B\u00fccher.example"}
    answer = add(owner, listing, sent)
    assert answer.status_code == 201
    milestone = Milestone.objects.get()
    stored = {
        "id": milestone.pk,
        "date": "2024-02-29",
        "title": "<b>A thousand",
        "description": "One\ntwo",
        "url": "https://xn--bcher-kva.example/",
    }
    assert {name: answer.json()[name] for name in stored} == stored
    assert (milestone.listing, milestone.date) == (listing, date(2024, 2, 29))
    assert owner.get(f"/me/listings/{listing.pk}").json()["milestones"] == [stored]


@pytest.mark.parametrize(
    ("status", "plan", "unlocked", "shown", "hint"),
    [
        ("live", "paid", [], True, ""),
        ("live", "free", ["milestones"], True, ""),
        ("live", "free", ["faq"], False, "section_milestones"),
        ("draft", "none", ["milestones"], False, "is live"),
    ],
)
def test_whether_visitors_see_it_is_told(
    owner: ApiClient, listing: Listing, status: str, plan: str, unlocked: list[str], shown: bool, hint: str
) -> None:
    Listing.objects.update(status=status, plan=plan, unlocked_sections=unlocked)
    body = add(owner, listing, GOOD).json()
    assert body["shown_on_listing"] is shown
    assert hint in " ".join(body["next_steps"])
    assert bool(body["next_steps"]) is not shown
    page = owner.http.get(listing.path, headers={"host": "testserver.localhost"})
    assert (GOOD["title"] in page.content.decode()) is shown


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        *[
            ({"date": written}, "/date")
            for written in [
                *["20240229", "2024-W09-4", "2024-2-9", "2024-02-30", "2023-02-29", "29.02.2024", "2024-02-29T00:00"],
                *["\u0662\u0660\u0662\u0664-02-09", "", "yesterday", 20240229, None, ["2024-02-29"], "1799-12-31"],
                *["0000-01-01", "9999-12-31", "2024-02-29\n2024", "+024-02-29"],
            ]
        ],
        ({"title": ""}, "/title"),
        ({"title": "\u200b"}, "/title"),
        ({"title": "t" * 121}, "/title"),
        ({"title": 7}, "/title"),
        ({"title": None}, "/title"),
        ({"description": "d" * 1001}, "/description"),
        ({"url": "http://acme.example/"}, "/url"),
        ({"url": "javascript:alert(1)"}, "/url"),
        ({"url": "https://acme.example/" + "a" * 480}, "/url"),
        ({"titel": "a"}, "/titel"),
        ({"id": 7}, "/id"),
    ],
)
def test_a_bad_value_is_refused(owner: ApiClient, listing: Listing, changes: dict[str, Any], pointer: str) -> None:
    answer = add(owner, listing, {**GOOD, **changes})
    assert answer.status_code == 422
    assert [problem["pointer"] for problem in answer.json()["errors"]] == [pointer]
    assert not Milestone.objects.exists()
    assert not ListingVersion.objects.exists()


def test_date_and_title_are_needed(owner: ApiClient, listing: Listing) -> None:
    assert {problem["pointer"] for problem in add(owner, listing, {}).json()["errors"]} == {"/date", "/title"}


def test_two_years_ahead_and_no_further(owner: ApiClient, listing: Listing) -> None:
    today = timezone.now().date()
    assert add(owner, listing, {**GOOD, "date": str(today + timedelta(days=730))}).status_code == 201
    late = add(owner, listing, {**GOOD, "date": str(today + timedelta(days=733))})
    assert (late.status_code, late.json()["code"]) == (422, "date_out_of_reason")
    assert add(owner, listing, {**GOOD, "date": "1800-01-01"}).status_code == 201


def test_a_listing_has_a_hundred_at_most(owner: ApiClient, listing: Listing) -> None:
    fill(listing, MAX_MILESTONES - 1)
    fill(ListingFactory.create(), 5)
    assert add(owner, listing, GOOD).status_code == 201
    refused = add(owner, listing, GOOD)
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_milestones")
    assert "delete_milestone" in refused.json()["next_steps"][0]
    assert listing.milestones.count() == MAX_MILESTONES


def test_others_and_nobody_add_nothing(
    owner: ApiClient, other_owner: ApiClient, anonymous: ApiClient, listing: Listing
) -> None:
    reading = ApiClient(key=api_key(owner.account, [Scope.ACCOUNT_READ, Scope.ORDERS_WRITE]))
    for client, status in ((other_owner, 404), (anonymous, 401), (reading, 403)):
        assert add(client, listing, GOOD).status_code == status
    assert not Milestone.objects.exists()


def test_a_rejected_listing_takes_none(owner: ApiClient, listing: Listing) -> None:
    Listing.objects.update(status="rejected")
    assert add(owner, listing, GOOD).json()["code"] == "not_editable"
    assert not Milestone.objects.exists()


def test_a_key_makes_retries_safe(owner: ApiClient, listing: Listing) -> None:
    first = add(owner, listing, GOOD, Idempotency_Key="one")
    again = add(owner, listing, GOOD, Idempotency_Key="one")
    assert (again.status_code, again.content) == (201, first.content)
    assert again["Idempotency-Replayed"] == "true"
    assert Milestone.objects.count() == ListingVersion.objects.exclude(changes=[]).count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_last_spot_in_parallel(owner: ApiClient, listing: Listing) -> None:
    fill(listing, MAX_MILESTONES - 1)
    schema.document()
    answers = run_at_once(*[lambda: add(ApiClient(key=owner.key), listing, GOOD)] * 4)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    assert listing.milestones.count() == MAX_MILESTONES
