"""list_comments: anybody reads the posted comments of a live listing, and nothing writes any but a person."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver

from apps.accounts.models import User
from apps.comments.models import Comment
from apps.comments.services.owning import hide_comment, pin_comment
from apps.core.api import schema
from apps.listings.models import Listing
from tests.actors import in_browser
from tests.api import ApiClient
from tests.comments.people import comment_on, trusted
from tests.factories import ListingFactory, SiteFactory, UserFactory, access_token, api_key, complete_profile
from tests.listings.statuses import in_status

pytestmark = pytest.mark.django_db


def test_posted_comments_newest_first(anonymous: ApiClient, listing: Listing) -> None:
    owner = listing.company.owner
    complete_profile(owner)
    first = comment_on(listing, "Well made")
    reply = comment_on(listing, "Thank you", author=owner, reply_to=first)
    comment_on(listing, "Waits", author=UserFactory.create())
    hide_comment(comment=comment_on(listing, "Hidden"), by=in_browser(owner))
    pin_comment(comment=first, by=in_browser(owner))
    body = anonymous.get(f"/listings/{listing.slug}/comments").json()
    assert body["total"] == 2
    assert [item["id"] for item in body["items"]] == [reply.pk, first.pk]
    shown, replied = body["items"][1], body["items"][0]
    assert (shown["text"], shown["parent_id"], shown["is_pinned"], shown["edited_at"]) == (
        "Well made",
        None,
        True,
        None,
    )
    assert shown["author"] == {"name": first.author.name, "is_maker": False, "is_site_admin": False}
    assert (replied["parent_id"], replied["author"]["name"], replied["author"]["is_maker"]) == (
        first.pk, "Ada Example", True,
    )  # fmt: skip
    assert shown["url"].endswith(f"/listings/{listing.slug}/comments/{first.pk}#comment-{first.pk}")


def test_no_name_is_a_part_of_an_address(anonymous: ApiClient, listing: Listing) -> None:
    comment = comment_on(listing)
    User.objects.filter(pk=comment.author_id).update(name="", email="secret.person@example.com")
    assert "secret" not in anonymous.get(f"/listings/{listing.slug}/comments").content.decode()


@pytest.mark.parametrize("status", [status for status in Listing.Status if status != Listing.Status.LIVE])
def test_only_live_listings_have_comments(anonymous: ApiClient, status: str) -> None:
    listing = in_status(status)
    assert anonymous.get(f"/listings/{listing.slug}/comments").status_code == 404


def test_other_sites_are_named(anonymous: ApiClient, listing: Listing) -> None:
    elsewhere = ListingFactory.create(live=True, site=SiteFactory.create(key="makers"), slug="acme")
    comment_on(elsewhere, "From afar")
    assert anonymous.get("/listings/acme/comments").status_code == 404
    body = anonymous.get("/listings/acme/comments", {"site": "makers"}).json()
    assert [item["text"] for item in body["items"]] == ["From afar"]


def test_pages(anonymous: ApiClient, listing: Listing) -> None:
    author = UserFactory.create()
    Comment.objects.bulk_create(
        Comment(listing=listing, author=author, text=f"Number {one}", status="posted") for one in range(5)
    )
    body = anonymous.get(f"/listings/{listing.slug}/comments", {"page": 2, "per_page": 2}).json()
    assert (len(body["items"]), body["total"], body["page"]) == (2, 5, 2)
    assert body["next"]


def test_it_is_no_tool_and_its_only_route_reads() -> None:
    paths = schema.document()["paths"]
    about = {
        path: set(one) & {"get", "post", "put", "patch", "delete"} for path, one in paths.items() if "comment" in path
    }
    assert about == {"/api/v1/listings/{slug}/comments": {"get"}}
    assert paths["/api/v1/listings/{slug}/comments"]["get"]["x-slipway"]["tool"] is False


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_no_key_writes_by_rest(listing: Listing, method: str) -> None:
    author = trusted()
    comment = comment_on(listing, author=author)
    for path in ("/comments", f"/comments/{comment.pk}", "/comments/new"):
        address = f"/api/v1/listings/{listing.slug}{path}"
        answer = getattr(Client(), method)(
            address, data="{}", content_type="application/json", headers={"authorization": f"Bearer {api_key(author)}"}
        )
        assert answer.status_code in {404, 405}, address
    assert list(Comment.objects.values_list("text", "status")) == [(comment.text, "posted")]


def _pages() -> list[str]:
    names = [name for name in get_resolver().reverse_dict if isinstance(name, str)]
    return sorted(name for name in names if name.endswith("_comment"))


@pytest.mark.parametrize("kind", ["key", "token"])
def test_no_key_or_token_opens_a_form(listing: Listing, kind: str) -> None:
    """Browser pages know sessions only: to them, a credential is nobody."""
    author = trusted()
    comment = comment_on(listing, author=author)
    raw = api_key(author) if kind == "key" else access_token(author, resource=settings.PUBLIC_HOST)
    base = f"/listings/{listing.slug}/comments"
    names = {"reply_to" if one == "reply" else one for one in _actions()}
    assert _pages() == sorted(f"{one}_comment" for one in {"new", *names})
    for name in ("new", *(f"{comment.pk}/{one}" for one in _actions())):
        answer = Client().post(f"{base}/{name}", {"text": "By a program"}, headers={"authorization": f"Bearer {raw}"})
        assert answer.status_code in {302, 403}, name
        if answer.status_code == 302:
            assert "/account/" in answer["Location"], name
    assert list(Comment.objects.values_list("text", "status")) == [(comment.text, "posted")]


def _actions() -> list[str]:
    return ["reply", "edit", "delete", "pin", "unpin", "hide", "show"]
