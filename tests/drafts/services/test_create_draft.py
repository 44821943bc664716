from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.core.api import schema
from apps.core.api.scopes import Scope
from apps.drafts.models import Draft
from apps.sites.models import Site
from tests.api import ApiClient
from tests.drafts.factories import DraftFactory
from tests.factories import CompanyFactory, ListingFactory, api_key
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db

URL = "https://acme.example/"


def create(client: ApiClient, url: Any = URL, **headers: str) -> Any:
    return client.post("/drafts", {"url": url}, **headers)


def test_a_draft_is_started(owner: ApiClient, site: Site) -> None:
    answer = create(owner, "Acme.Example")
    assert answer.status_code == 201
    body = answer.json()
    draft = Draft.objects.get(pk=body["id"])
    assert (draft.owner, draft.site, draft.website_key) == (owner.user, site, "acme.example")
    assert body["status"] == "crawling"
    assert body["url"] == URL
    assert body["progress"] == {"done": 0, "planned": 0}
    assert (body["listing_id"], body["error"], body["proposal"]) == (None, None, {})
    assert "get_draft" in body["next_steps"][0]


def test_a_worker_is_asked_only_after_the_commit(
    owner: ApiClient, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[int] = []
    monkeypatch.setattr("apps.drafts.tasks.crawl_draft.delay", sent.append)
    with django_capture_on_commit_callbacks(execute=True):
        body = create(owner).json()
        assert sent == []
    assert sent == [body["id"]]


@pytest.mark.parametrize(
    "url", [URL, "https://www.acme.example", "http://ACME.example/?utm_source=x#top", f"{URL}features/a.html"]
)
def test_the_same_address_gives_the_draft_there_is(owner: ApiClient, url: str) -> None:
    first = create(owner)
    again = create(owner, url)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert Draft.objects.count() == 1


def test_after_a_failure_a_new_draft_starts(owner: ApiClient) -> None:
    failed = DraftFactory.create(owner=owner.user, url=URL, failed=True)
    answer = create(owner)
    assert answer.status_code == 201
    assert answer.json()["id"] != failed.pk


def test_drafts_of_different_owners_are_different(owner: ApiClient, other_owner: ApiClient) -> None:
    assert create(owner).json()["id"] != create(other_owner).json()["id"]


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "blank"),
        (None, "null"),
        ({}, "string"),
        ("acme", "bad_address"),
        ("ftp://acme.example/", "bad_address"),
        ("https://user:secret@acme.example/", "bad_address"),
        ("https://acme.example:8443/", "bad_address"),
        ("https://acme.example\\@evil.example/", "bad_address"),
        ("https://acme.github.io/" + "a" * 300, "max_length"),
        ("https://github.com/acme/a%00b", "bad_address"),
        ("https://apps.apple.com/us/app/acme/id1", "bad_address"),
        ("http://localhost/", "private_address"),
        ("http://127.1/", "private_address"),
        ("http://[::1]/", "private_address"),
        ("http://169.254.169.254/latest", "private_address"),
        ("http://10.0.0.1", "private_address"),
    ],
)
def test_a_bad_address_is_refused_at_once(owner: ApiClient, url: Any, code: str) -> None:
    answer = create(owner, url)
    assert answer.status_code == 422
    (problem,) = answer.json()["errors"]
    assert (problem["pointer"], problem["code"]) == ("/url", code)
    assert problem["detail"].endswith(".")
    assert not Draft.objects.exists()


def test_the_address_is_needed_and_nothing_else(owner: ApiClient) -> None:
    assert owner.post("/drafts", {}).json()["errors"][0]["pointer"] == "/url"
    answer = owner.post("/drafts", {"url": URL, "ulr": URL})
    assert answer.status_code == 422
    assert "Did you mean url?" in answer.json()["errors"][0]["detail"]


def test_a_private_literal_has_a_code_of_its_own(owner: ApiClient) -> None:
    assert create(owner, "http://192.168.0.1/").json()["code"] == "private_address"


def test_a_company_of_another_account_can_be_claimed(owner: ApiClient) -> None:
    CompanyFactory.create(website=URL, website_key="acme.example")
    answer = create(owner)
    assert (answer.status_code, answer.json()["code"]) == (409, "website_taken")
    assert "/claims/new?url=https%3A%2F%2Facme.example%2F" in answer.json()["claim_url"]
    assert answer.json()["claim_url"] in answer.json()["next_steps"][0]
    assert not Draft.objects.exists()


@pytest.mark.parametrize("path", ["index.html", "features", "de/preise?x=1", "FEATURES/"])
def test_no_page_of_a_listed_website_makes_another_company(owner: ApiClient, path: str) -> None:
    CompanyFactory.create(website=URL, website_key="acme.example")
    answer = create(owner, f"https://www.acme.example/{path}")
    assert (answer.status_code, answer.json()["code"]) == (409, "website_taken")


def test_an_address_with_a_path_drafts_the_home_page(owner: ApiClient) -> None:
    assert create(owner, f"{URL}features?a=b#c").json()["url"] == URL


def test_on_a_shared_host_the_first_part_of_the_path_is_the_website(owner: ApiClient, other_owner: ApiClient) -> None:
    shared = "https://acme.github.io/"
    CompanyFactory.create(website=f"{shared}boats", website_key="acme.github.io/boats")
    answer = create(owner, f"{shared}Boats/docs")
    assert (answer.status_code, answer.json()["code"]) == (409, "website_taken")
    answer = create(owner, f"{shared}trains/docs/install")
    assert (answer.status_code, answer.json()["url"]) == (201, f"{shared}trains")
    assert create(owner, f"{shared}trains/").json()["id"] == answer.json()["id"]


def test_a_website_is_listed_once_a_site(owner: ApiClient, site: Site) -> None:
    company = CompanyFactory.create(owner=owner.user, website=URL, website_key="acme.example")
    assert create(owner).status_code == 201
    listing = ListingFactory.create(company=company, site=site)
    answer = create(owner)
    assert (answer.status_code, answer.json()["code"]) == (409, "duplicate")
    assert answer.json()["listing_id"] == listing.pk


def test_an_account_starts_so_many_an_hour(owner: ApiClient, other_owner: ApiClient, site: Site) -> None:
    Site.objects.update(drafts_per_hour=3)
    now = timezone.now()
    for minutes in (61, 50, 20, 10):
        DraftFactory.create(owner=owner.user, failed=True, created_at=now - timedelta(minutes=minutes))
    answer = create(owner)
    assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
    assert 590 <= int(answer["Retry-After"]) <= 601
    assert create(other_owner).status_code == 201
    Draft.objects.filter(owner=owner.user).order_by("created_at")[1].delete()
    assert create(owner).status_code == 201


def test_asking_again_is_no_new_draft_for_the_limit(owner: ApiClient) -> None:
    Site.objects.update(drafts_per_hour=1)
    assert [create(owner).status_code for _ in range(3)] == [201, 200, 200]


def test_a_key_makes_a_retry_safe(owner: ApiClient) -> None:
    first = create(owner, Idempotency_Key="one")
    Draft.objects.update(pages_planned=5)
    again = create(owner, Idempotency_Key="one")
    assert (again.status_code, again["Idempotency-Replayed"]) == (201, "true")
    assert again.json() == first.json()


@pytest.mark.parametrize("scope", [Scope.ACCOUNT_READ, Scope.ORDERS_WRITE])
def test_the_scope_is_needed(owner: ApiClient, anonymous: ApiClient, scope: Scope) -> None:
    assert create(ApiClient(key=api_key(owner.account, [scope]))).status_code == 403
    assert create(anonymous).status_code == 401
    assert not Draft.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_ten_at_once_make_one_draft(owner: ApiClient) -> None:
    schema.document()
    answers = run_at_once(*[lambda: create(ApiClient(key=owner.key))] * 10)
    assert Counter(answer.status_code for answer in answers) == {201: 1, 200: 9}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert Draft.objects.count() == 1
