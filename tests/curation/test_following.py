"""Followers of collections hear of additions, at most once a day."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.actors import SYSTEM
from apps.accounts.models import User
from apps.core.errors import Conflict
from apps.curation.models import Collection, CollectionFollow
from apps.curation.services import following
from apps.curation.services.collections import edit_collection
from apps.curation.services.following import announce_additions, follow_collection, unfollow_collection
from apps.curation.services.moderation import remove_collection
from apps.events.models import Event
from apps.listings.models import Listing
from apps.listings.services.followers import NotFollowable
from apps.notifications.inbox import list_notifications
from apps.notifications.texts import TEXTS
from tests.actors import in_browser
from tests.browsing import browser, signed_in
from tests.curation.making import archive, make_collection, put_into, texts_of
from tests.factories import ListingFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def follower(collection: Collection) -> User:
    user: User = UserFactory.create()
    follow_collection(collection=collection, by=in_browser(user))
    return user


def a_day_later(collection: Collection) -> None:
    """Move what happened to the collection a day into the past."""
    for row in (Collection.objects.get(pk=collection.pk), *collection.items.all(), *collection.follows.all()):
        for name in ("announced_at", "extended_at", "added_at"):
            if hasattr(row, name):
                setattr(row, name, getattr(row, name) - timedelta(days=1))
        if isinstance(row, CollectionFollow):
            row.created_at -= timedelta(days=1)
        row.save()


def settle(collection: Collection) -> None:
    """Let a day pass and another one, so that what was there before the follower is no news."""
    a_day_later(collection)
    announce_additions()
    a_day_later(collection)


def told(user: User) -> list[str]:
    # Numbers the events, as a commit does.
    connection.check_constraints()
    return [item.text for item in list_notifications(user).items]


def test_following_is_counted_once(collection: Collection, follower: User) -> None:
    by = in_browser(follower)
    follow_collection(collection=collection, by=by)
    assert Collection.objects.get().follower_count == 1
    for _ in range(2):
        unfollow_collection(collection=collection, by=by)
    assert Collection.objects.get().follower_count == 0


def test_what_cannot_be_followed(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    private = make_collection(collection.author, is_public=False)
    for user, one in ((collection.author, collection), (UserFactory.create(), private)):
        with pytest.raises(NotFollowable):
            follow_collection(collection=one, by=in_browser(user))
    monkeypatch.setattr(following, "MAX_FOLLOWED", 0)
    with pytest.raises(following.TooManyFollowed):
        follow_collection(collection=collection, by=in_browser(UserFactory.create()))


def test_additions_of_a_day_are_one_notification(collection: Collection, follower: User) -> None:
    settle(collection)
    assert announce_additions() == 0
    put_into(collection, *ListingFactory.create_batch(2, live=True))
    late = UserFactory.create()
    follow_collection(collection=collection, by=in_browser(late))
    assert announce_additions() == 1
    put_into(collection, ListingFactory.create(live=True))
    assert announce_additions() == 0
    assert (told(follower), told(late)) == (["2 new listings in Quiet tools."], [])
    a_day_later(collection)
    assert [announce_additions(), announce_additions()] == [1, 0]
    assert told(follower)[0] == "1 new listing in Quiet tools."


def test_nobody_is_told_of_what_is_not_there(collection: Collection, follower: User, listing: Listing) -> None:
    a_day_later(collection)
    put_into(collection, listing)
    archive(listing)
    announce_additions()
    assert told(follower) == []


def test_additions_to_a_private_collection_are_no_news(collection: Collection, follower: User) -> None:
    by = in_browser(collection.author)
    edit_collection(collection=collection, **{**texts_of(collection), "is_public": False}, by=by)
    put_into(collection, ListingFactory.create(live=True))
    a_day_later(collection)
    assert announce_additions() == 0
    edit_collection(collection=collection, **{**texts_of(collection), "is_public": True}, by=by)
    a_day_later(collection)
    assert announce_additions() == 0
    assert told(follower) == []


def test_a_collection_that_is_gone_keeps_its_name_to_itself(collection: Collection, follower: User) -> None:
    settle(collection)
    put_into(collection, ListingFactory.create(live=True))
    announce_additions()
    remove_collection(collection=collection, reason="Rude.", by=SYSTEM)
    assert told(follower) == ["1 new listing in a collection."]
    assert list_notifications(follower).items[0].url == ""
    assert "Quiet" not in signed_in(follower).get("/account/following").content.decode()


def test_the_author_hears_of_decisions(collection: Collection) -> None:
    remove_collection(collection=collection, reason="Rude.", by=SYSTEM)
    assert told(collection.author)[0] == TEXTS["collection.removed"].sentence.format(name="Quiet tools")
    assert list_notifications(collection.author).items[0].url.endswith("-quiet-tools/edit")


def test_following_in_the_browser(collection: Collection) -> None:
    user = UserFactory.create()
    client, path = signed_in(user), f"{collection.path}/follow"
    assert "/account/sign-in" in browser().post(path)["Location"]
    assert client.get(path)["Location"] == collection.path
    client.post(path)
    assert b"Following" in client.get(collection.path).content
    page = client.get("/account/following").content.decode()
    assert "Quiet tools" in page
    assert "Person" not in page
    edit_collection(
        collection=collection, name="Secret now", description="", is_public=False, by=in_browser(collection.author)
    )
    page = client.get("/account/following").content.decode()
    assert "Secret now" not in page
    assert "not public" in page
    client.post(path, {"unfollow": "1"})
    assert not CollectionFollow.objects.exists()
    assert client.post(path, {"unfollow": "1"}).status_code == 404


def test_events_are_of_the_author_or_the_follower(collection: Collection, follower: User) -> None:
    a_day_later(collection)
    put_into(collection, ListingFactory.create(live=True))
    announce_additions()
    assert list(Event.objects.filter(object_type="collection").order_by("pk").values_list("type", "account")) == [
        ("collection.public", collection.author_id),
        ("followed_collection.extended", follower.pk),
    ]
    assert timezone.now() - Collection.objects.get().announced_at < timedelta(minutes=5)


def test_a_refused_follow_says_why(collection: Collection) -> None:
    assert issubclass(following.TooManyFollowed, Conflict)
    answer = signed_in(collection.author).post(f"{collection.path}/follow", follow=True)
    assert b"You can only follow other people" in answer.content
