"""`site` names another site than the one that is asked, in reads and for a new draft."""

from typing import Any

import pytest

from apps.drafts.models import Draft
from apps.orders.models import Product
from apps.orders.products.catalog import seed_products
from apps.sites.models import Site
from apps.stories.models import InterviewQuestion
from tests.api import ApiClient
from tests.factories import CategoryFactory, ListingFactory, SiteFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(site: Site) -> Site:
    """Another site with a listing and prices of its own."""
    made: Site = SiteFactory.create(key="tides")
    ListingFactory.create(live=True, site=made, slug="acme")
    seed_products(made)
    Product.objects.filter(site=made).update(price_cents=12300)
    return made


@pytest.mark.parametrize("path", ["/listings", "/leaderboards/community-weekly"])
def test_lists_are_of_the_named_site(anonymous: ApiClient, other: Site, path: str) -> None:
    assert anonymous.get(path).json()["items"] == []
    assert [item["slug"] for item in anonymous.get(path, {"site": "tides"}).json()["items"]] == ["acme"]


def test_a_listing_is_found_on_its_site(anonymous: ApiClient, other: Site) -> None:
    assert anonymous.get("/listings/acme").status_code == 404
    body = anonymous.get("/listings/acme", {"site": "tides"}).json()
    assert body["listing_url"] == other.url("/listings/acme")


def test_prices_are_of_the_named_site(anonymous: ApiClient, other: Site) -> None:
    items = anonymous.get("/products", {"site": "tides"}).json()["items"]
    assert {item["price_cents"] for item in items} == {12300}


def test_categories_belong_to_the_named_site(anonymous: ApiClient, other: Site) -> None:
    CategoryFactory.create(site=other, slug="tides-only")
    assert "tides-only" not in slugs(anonymous.get("/categories"))
    assert "tides-only" in slugs(anonymous.get("/categories", {"site": "tides"}))


def slugs(answer: Any) -> list[str]:
    return [item["slug"] for item in answer.json()["items"]]


def test_weeks_are_of_the_named_site(anonymous: ApiClient, other: Site) -> None:
    assert {item["price_cents"] for item in anonymous.get("/weeks", {"site": "tides"}).json()["prices"]} == {12300}


def test_a_profile_is_for_the_named_site(owner: ApiClient, other: Site) -> None:
    Site.objects.filter(pk=other.pk).update(profile_min_bio_characters=7)
    for answer in (owner.get("/me/profile", {"site": "tides"}), owner.patch("/me/profile", {"site": "tides"})):
        assert any("0 of 7" in gap["reason"] for gap in answer.json()["missing"])
        assert all(gap["url"].startswith(other.url("/")) for gap in answer.json()["missing"])


def test_an_interview_is_of_the_named_site(owner: ApiClient, other: Site) -> None:
    question = InterviewQuestion.objects.create(site=other, text="Which tide?", position=1)
    told = owner.get("/interview-questions", {"site": "tides"}).json()["items"]
    assert [item["id"] for item in told] == [question.pk]
    sent = {"answers": [{"question_id": question.pk, "answer": "Spring."}]}
    assert owner.put("/me/interview", sent).status_code == 422
    body = owner.put("/me/interview", {**sent, "site": "tides"}).json()
    assert [item["answer"] for item in body["answers"]] == ["Spring."]
    assert body["url"].startswith(other.url("/"))


def test_a_draft_is_for_the_named_site(owner: ApiClient, other: Site) -> None:
    assert owner.post("/drafts", {"url": "https://acme.example", "site": "tides"}).status_code == 201
    assert Draft.objects.get().site == other


@pytest.mark.parametrize("key", ["nowhere", "x" * 33])
def test_an_unknown_key_is_refused_with_those_there_are(owner: ApiClient, other: Site, key: str) -> None:
    answers: list[Any] = [owner.get("/listings", {"site": key}), owner.get("/products", {"site": key})]
    answers.append(owner.post("/drafts", {"url": "https://acme.example", "site": key}))
    answers += [owner.get(path, {"site": key}) for path in ("/categories", "/weeks", "/interview-questions")]
    answers += [owner.get("/me/profile", {"site": key}), owner.patch("/me/profile", {"site": key, "bio": "x"})]
    answers.append(owner.put("/me/interview", {"answers": [], "site": key}))
    assert {answer.status_code for answer in answers} == {422}
    assert {answer.json()["errors"][0]["pointer"] for answer in answers} == {"/site"}
    if key == "nowhere":
        assert all("tides" in answer.json()["errors"][0]["detail"] for answer in answers)
    assert not Draft.objects.exists()
