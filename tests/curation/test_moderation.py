"""Moderators decide about collections in the admin, and their authors hear of it."""

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.core.models import OutgoingEmail
from apps.curation.models import Collection
from apps.events.models import Event
from apps.sites.models import Site
from tests.browsing import browser, signed_in, staff
from tests.curation.making import make_collection, put_into
from tests.factories import ListingFactory, UserFactory

pytestmark = pytest.mark.django_db

LIST = "/admin/curation/collection/"


@pytest.fixture
def waiting(site: Site) -> Collection:
    collection = make_collection(UserFactory.create(), "Ship log")
    put_into(collection, ListingFactory.create(live=True))
    return collection


def decide(client: Client, name: str, collection: Collection, **values: str) -> None:
    sent = {"action": name, "_selected_action": [collection.pk], "confirmed": "1", **values}
    client.post(LIST, sent)
    collection.refresh_from_db()


def test_a_moderator_approves_removes_and_restores(waiting: Collection) -> None:
    client = signed_in(staff("view_collection", "change_collection"))
    assert b"Collections to review" in client.get("/admin/").content
    page = client.get(f"{LIST}{waiting.pk}/change/").content.decode()
    assert "Approve" in page
    decide(client, "approve", waiting)
    assert (waiting.status, waiting.review_reason) == ("public", "")
    assert browser().get(waiting.path).status_code == 200
    decide(client, "remove", waiting)
    assert waiting.status == "public"
    decide(client, "remove", waiting, reason="An advertisement.")
    assert (waiting.status, waiting.removed_reason) == ("removed", "An advertisement.")
    assert browser().get(waiting.path).status_code == 404
    email = OutgoingEmail.objects.get(to=waiting.author.email)
    assert "An advertisement." in email.text
    decide(client, "restore", waiting)
    assert (waiting.status, waiting.removed_reason) == ("public", "")
    moves = Event.objects.filter(object_type="collection").order_by("pk").values_list("type", "via")
    assert [(type_.partition(".")[2], via) for type_, via in moves][1:] == [
        ("public", "admin"), ("removed", "admin"), ("public", "admin"),
    ]  # fmt: skip


def test_private_collections_are_not_for_moderators(author: User) -> None:
    collection = make_collection(author, "Hidden words", is_public=False)
    client = signed_in(staff("view_collection", "change_collection"))
    assert b"Hidden words" not in client.get(LIST).content
    assert client.get(f"{LIST}{collection.pk}/change/").status_code == 302
