"""list_reviews: anybody reads the posted reviews of a live listing, and nothing writes any but a person."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver

from apps.accounts.models import User
from apps.core.api import schema
from apps.listings.models import Listing
from apps.reviews.models import Review, ReviewLink
from apps.reviews.services.writing import answer_review
from tests.actors import in_browser
from tests.api import ApiClient
from tests.factories import ListingFactory, SiteFactory, access_token, api_key
from tests.listings.statuses import in_status
from tests.reviews.people import customer, link_for, newcomer, review_of, verified

pytestmark = pytest.mark.django_db


def test_verified_first_then_newest_first(anonymous: ApiClient, listing: Listing) -> None:
    proven = verified(listing)[0]
    older, newer = review_of(listing, rating=1), review_of(listing)
    review_of(listing, author=newcomer())
    answer_review(review=older, text="We fixed it", by=in_browser(listing.company.owner))
    body = anonymous.get(f"/listings/{listing.slug}/reviews").json()
    assert [item["id"] for item in body["items"]] == [proven.pk, newer.pk, older.pk]
    first, _, last = body["items"]
    assert (first["is_verified"], first["rating"], first["answer"]) == (True, 5, None)
    assert (last["is_verified"], last["rating"], last["answer"]["text"]) == (False, 1, "We fixed it")
    assert first["author"] == {"name": proven.author.name}
    assert first["url"].endswith(f"/listings/{listing.slug}/reviews/{proven.pk}")


def test_no_name_is_a_part_of_an_address(anonymous: ApiClient, listing: Listing) -> None:
    review = review_of(listing)
    User.objects.filter(pk=review.author_id).update(name="", email="secret.person@example.com")
    assert "secret" not in anonymous.get(f"/listings/{listing.slug}/reviews").content.decode()


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != Listing.Status.LIVE])
def test_only_live_listings_have_reviews(anonymous: ApiClient, status: str) -> None:
    assert anonymous.get(f"/listings/{in_status(status).slug}/reviews").status_code == 404


def test_other_sites_are_named(anonymous: ApiClient, listing: Listing) -> None:
    elsewhere = ListingFactory.create(live=True, site=SiteFactory.create(key="makers"), slug="acme")
    review = review_of(elsewhere)
    assert anonymous.get("/listings/acme/reviews").status_code == 404
    body = anonymous.get("/listings/acme/reviews", {"site": "makers"}).json()
    assert [item["id"] for item in body["items"]] == [review.pk]


def test_pages(anonymous: ApiClient, listing: Listing) -> None:
    for _ in range(5):
        review_of(listing)
    body = anonymous.get(f"/listings/{listing.slug}/reviews", {"page": 2, "per_page": 2}).json()
    assert (len(body["items"]), body["total"], body["page"]) == (2, 5, 2)
    assert body["next"]


def test_it_is_no_tool_and_its_only_route_reads() -> None:
    paths = schema.document()["paths"]
    about = {
        path: set(one) & {"get", "post", "put", "patch", "delete"}
        for path, one in paths.items()
        if path.endswith("reviews") or "/reviews/" in path
    }
    assert about == {"/api/v1/listings/{slug}/reviews": {"get"}}
    assert paths["/api/v1/listings/{slug}/reviews"]["get"]["x-slipway"]["tool"] is False


def _routes(listing: Listing, review: Review, link: ReviewLink) -> dict[str, Any]:
    domain = listing.customer_domains.create(domain="client.example")
    return {
        "new_review": "new",
        "edit_review": f"{review.pk}/edit",
        "delete_review": f"{review.pk}/delete",
        "answer_review": f"{review.pk}/answer",
        "new_review_link": "links/new",
        "revoke_review_link": f"links/{link.pk}/revoke",
        "add_customer_domain": "domains/new",
        "remove_customer_domain": f"domains/{domain.pk}/remove",
        "listing_reviews": "manage",
    }


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_no_key_writes_by_rest(listing: Listing, method: str) -> None:
    author = customer()
    review, link = review_of(listing, author=author), link_for(listing)
    for person in (author, listing.company.owner):
        for path in ("", *(f"/{one}" for one in _routes(listing, review, link).values())):
            answer = getattr(Client(), method)(
                f"/api/v1/listings/{listing.slug}/reviews{path}",
                data="{}",
                content_type="application/json",
                headers={"authorization": f"Bearer {api_key(person)}"},
            )
            assert answer.status_code in {404, 405}, path
        listing.customer_domains.all().delete()
    assert list(Review.objects.values_list("text", "status")) == [(review.text, "posted")]


@pytest.mark.parametrize("kind", ["key", "token"])
def test_no_key_or_token_opens_a_form(listing: Listing, kind: str) -> None:
    """Browser pages know sessions only: to them, a credential is nobody."""
    author = customer()
    review, link = review_of(listing, author=author), link_for(listing)
    routes = _routes(listing, review, link)
    names = [name for name in get_resolver().reverse_dict if isinstance(name, str)]
    known = {
        name
        for name in names
        if "review" in name and name not in {"review", "reviews", "reviews_feed", "email_previews"}
    }
    known |= {name for name in names if "customer_domain" in name}
    assert {name for name in known if "preview" not in name} == set(routes)
    for person in (author, listing.company.owner):
        raw = api_key(person) if kind == "key" else access_token(person, resource=settings.PUBLIC_HOST)
        for path in routes.values():
            answer = Client().post(
                f"/listings/{listing.slug}/reviews/{path}",
                {"text": "By a program", "rating": "5"},
                headers={"authorization": f"Bearer {raw}"},
            )
            assert answer.status_code in {302, 403, 405}, path
            if answer.status_code == 302:
                assert "/account/" in answer["Location"], path
    assert list(Review.objects.values_list("text", "status", "answer")) == [(review.text, "posted", "")]
    assert not ReviewLink.objects.exclude(revoked_at=None).exists()
    assert listing.customer_domains.count() == 1
