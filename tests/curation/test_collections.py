"""Create, edit, order and delete collections, with their limits and their review by trust."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.actors import SYSTEM
from apps.accounts.models import User
from apps.comments.services.moderation import approve_comment, remove_comment
from apps.core.errors import DomainError, Forbidden, Unprocessable
from apps.curation import models
from apps.curation.models import Collection, CollectionFollow, CollectionItem
from apps.curation.services import collections as services
from apps.curation.services.collections import create_collection, delete_collection, edit_collection
from apps.curation.services.following import follow_collection
from apps.curation.services.items import save_listing
from apps.curation.services.moderation import approve_collection, remove_collection, restore_collection
from apps.listings.models import Listing
from apps.listings.services.merging import merge_companies
from apps.sites.models import Site
from tests.actors import by_team, in_browser
from tests.comments.people import comment_on, trusted
from tests.curation.making import ids, make_collection, put_into, texts_of
from tests.factories import ListingFactory, SiteFactory, UserFactory
from tests.process_caches import forget_everything

pytestmark = pytest.mark.django_db


def edit(collection: Collection, **values: Any) -> Collection:
    return edit_collection(
        collection=collection, by=in_browser(collection.author), **{**texts_of(collection), **values}
    )


def refusal(call: Any, **values: Any) -> list[str]:
    """What a call is refused for, by field."""
    with pytest.raises(DomainError) as caught:
        call(**values)
    return [problem.pointer for problem in caught.value.errors] or [caught.value.error_code]


@pytest.mark.parametrize(
    ("name", "slug"), [("Quiet tools", "quiet-tools"), ("日本語の道具", "collection"), ("x" * 60, "x" * 60)]
)
def test_the_slug_is_from_the_first_name_and_stays(author: User, name: str, slug: str) -> None:
    collection = make_collection(author, name)
    assert collection.slug == slug
    assert edit(collection, name="Another name").slug == slug
    assert make_collection(author, name).slug == f"{slug}-2"
    assert make_collection(trusted(), name).slug == slug


@pytest.mark.parametrize(
    ("texts", "field"),
    [
        ({"name": ""}, "/name"),
        ({"name": "\u200b\u202eab\u2066"}, "/name"),
        ({"name": "x" * 61}, "/name"),
        ({"description": "x" * 501}, "/description"),
        ({"description": " ".join(f"https://{one}.example/" for one in "abcd")}, "/description"),
    ],
)
def test_texts_have_limits(author: User, texts: dict[str, str], field: str) -> None:
    site, by = Site.objects.get(is_default=True), in_browser(author)
    assert refusal(create_collection, site=site, by=by, **{"name": "Good name", **texts}) == [field]
    assert not Collection.objects.exists()


def test_a_long_note_is_refused_with_its_item(collection: Collection) -> None:
    first, second, _ = ids(collection)
    assert refusal(edit, collection=collection, notes={second: "x" * 281, first: "Fine"}) == [f"/notes/{second}"]
    assert not CollectionItem.objects.exclude(note="").exists()


def test_an_account_has_a_maximum_of_collections(author: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_COLLECTIONS", 2)
    make_collection(author)
    make_collection(author)
    assert refusal(make_collection, author=author) == ["too_many_collections"]
    make_collection(trusted())
    assert models.MAX_COLLECTIONS == 100


def test_programs_and_others_change_nothing(collection: Collection) -> None:
    by = in_browser(UserFactory.create(is_staff=True))
    with pytest.raises(Forbidden):
        edit_collection(collection=collection, **texts_of(collection), by=by)
    with pytest.raises(Forbidden):
        delete_collection(collection=collection, by=by)
    for via in ("key", "assistant"):
        actor = type(by)(user=collection.author, via=via)
        with pytest.raises(Forbidden):
            create_collection(site=collection.site, name="By a key", by=actor)
        with pytest.raises(Forbidden):
            save_listing(listing=ListingFactory.create(live=True), chosen=set(), offered=set(), by=actor)


def test_the_order_is_as_sent_and_loses_nothing(collection: Collection) -> None:
    first, second, third = ids(collection)
    foreign = ids(make_collection(trusted(), number=1))[0]
    for order, expected in (
        ([third, first, second], [third, first, second]),
        ([second, second, foreign, 10**17, second], [second, third, first]),
        ([], [second, third, first]),
        ([first, third], [first, third, second]),
    ):
        edit(collection, order=order, notes={foreign: "Mine"}, removed={foreign})
        assert ids(collection) == expected
    assert CollectionItem.objects.get(pk=foreign).note == ""


def test_an_item_that_another_tab_added_stays_behind(collection: Collection, listing: Listing) -> None:
    first, second, third = ids(collection)
    put_into(collection, listing)
    added = ids(collection)[-1]
    edit(collection, order=[third, second, first])
    edit(collection, order=[second, first, third], removed={first})
    assert ids(collection) == [second, third, added]


def test_deleting_takes_the_items_along(collection: Collection) -> None:
    delete_collection(collection=collection, by=in_browser(collection.author))
    assert not CollectionItem.objects.exists()
    assert Listing.objects.count() == 3
    assert refusal(delete_collection, collection=collection, by=in_browser(collection.author)) == ["collection_gone"]


@pytest.mark.parametrize(
    ("account", "status"),
    [
        (lambda: UserFactory.create(), "in_review"),
        (lambda: trusted(), "public"),
        (lambda: UserFactory.create(is_staff=True), "public"),
        (lambda: ListingFactory.create(live=True).company.owner, "public"),
    ],
    ids=["new", "settled", "staff", "owner"],
)
def test_a_moderator_reads_the_first_public_collection_of_new_accounts(site: Site, account: Any, status: str) -> None:
    author = account()
    assert make_collection(author, is_public=False).status == "private"
    assert make_collection(author).status == status


def test_comments_and_collections_share_their_trust(site: Site, listing: Listing) -> None:
    by = by_team(UserFactory.create(is_staff=True))
    author = UserFactory.create()
    approve_comment(comment=comment_on(listing, author=author), by=by)
    assert make_collection(author).status == "public"
    remove_comment(comment=comment_on(listing, "Another one", author=author), reason="Spam.", by=by)
    assert make_collection(author).review_reason == "removed"


def test_an_approved_collection_opens_the_next(site: Site) -> None:
    author = UserFactory.create()
    first = make_collection(author)
    approve_collection(collection=first, by=SYSTEM)
    assert make_collection(author).status == "public"
    first = edit(Collection.objects.get(pk=first.pk), name="A better name")
    assert (first.status, first.review_reason) == ("public", "")


def test_after_a_removal_everything_is_read(author: User, collection: Collection) -> None:
    remove_collection(collection=collection, reason="An advertisement.", by=SYSTEM)
    assert make_collection(author).review_reason == "removed"
    removed = edit(Collection.objects.get(pk=collection.pk), is_public=True, name="Please")
    assert (removed.status, removed.removed_reason) == ("removed", "An advertisement.")
    restore_collection(collection=removed, by=SYSTEM)
    assert Collection.objects.get(pk=collection.pk).status == "public"


def test_copies_and_link_farms_are_read(site: Site) -> None:
    text = "The best deals of the year, all of them in one place for you."
    statuses = [make_collection(trusted(), description=text).review_reason for _ in range(3)]
    assert statuses == ["", "", "copies"]
    reasons = [
        make_collection(trusted(), f"Number {one}", description=f"{one} https://spam.example/{one}").review_reason
        for one in range(5)
    ]
    assert reasons == [""] * 4 + ["links"]
    assert [make_collection(trusted(), "Favorites").review_reason for _ in range(4)] == [""] * 4


def test_edited_texts_of_a_public_collection_are_read_again(collection: Collection) -> None:
    for one in range(4):
        make_collection(trusted(), f"Number {one}", description=f"https://spam.example/{one}")
    item = ids(collection)[0]
    assert edit(collection, notes={item: "See https://spam.example/x"}).status == "in_review"
    with pytest.raises(Unprocessable):
        remove_collection(collection=collection, reason=" \u200b ", by=SYSTEM)


def test_few_wait_for_a_moderator(site: Site) -> None:
    author = UserFactory.create()
    for _ in range(services.MAX_WAITING):
        make_collection(author)
    assert refusal(make_collection, author=author) == ["too_many_in_review"]
    assert make_collection(author, is_public=False).status == "private"


def test_a_collection_returns_from_review_to_private(site: Site) -> None:
    collection = edit(make_collection(UserFactory.create()), is_public=False)
    assert (collection.status, collection.review_reason) == ("private", "")


def test_saving_adds_once_removes_and_ignores_what_is_not_ones_own(author: User, listing: Listing) -> None:
    mine, other = make_collection(author), make_collection(author, "Others")
    foreign = make_collection(trusted())
    elsewhere = create_collection(site=SiteFactory.create(), name="Elsewhere", by=in_browser(author))
    everything = {mine.pk, other.pk, foreign.pk, elsewhere.pk, 10**17}
    by = in_browser(author)
    for _ in range(2):
        assert save_listing(listing=listing, chosen=everything, offered=everything, by=by) == 2
    assert set(CollectionItem.objects.values_list("collection", flat=True)) == {mine.pk, other.pk}
    # A page that didn't show `other` doesn't take the listing out of it.
    save_listing(listing=listing, chosen=set(), offered={mine.pk}, by=by)
    assert list(CollectionItem.objects.values_list("collection", flat=True)) == [other.pk]
    assert save_listing(listing=listing, chosen=set(), offered=set(), new_name="New one", by=by) == 1
    assert Collection.objects.get(name="New one").status == "private"


def test_a_full_collection_takes_no_more(author: User, listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    assert models.MAX_ITEMS == 200
    monkeypatch.setattr("apps.curation.services.items.MAX_ITEMS", 3)
    full, empty = make_collection(author, number=3), make_collection(author)
    both, by = {full.pk, empty.pk}, in_browser(author)
    assert refusal(save_listing, listing=listing, chosen=both, offered=both, by=by) == ["collection_full"]
    assert CollectionItem.objects.count() == 3


@pytest.mark.parametrize("status", ["draft", "scheduled", "archived", "suspended"])
def test_only_live_listings_are_saved(author: User, status: str) -> None:
    listing = ListingFactory.create(status=status, launch_week="2026-W40")
    collection, by = make_collection(author), in_browser(author)
    values = {"chosen": {collection.pk}, "offered": {collection.pk}, "by": by}
    assert refusal(save_listing, listing=listing, **values) == ["not_collectable"]


def test_a_merge_moves_places_to_the_listing_that_stays(author: User) -> None:
    keep, drop = ListingFactory.create_batch(2, live=True)
    both, one = make_collection(author), make_collection(author)
    put_into(both, drop, keep)
    put_into(one, drop)
    by = by_team(UserFactory.create(is_staff=True))
    merge_companies(keep=keep.company, drop=drop.company, owner=keep.company.owner, by=by)
    assert [item.listing_id for item in both.items.all()] == [keep.pk]
    assert [item.listing_id for item in one.items.all()] == [keep.pk]


def test_an_erased_account_leaves_no_collection_and_follows_none(collection: Collection) -> None:
    account = trusted()
    follow_collection(collection=collection, by=in_browser(account))
    follow_collection(collection=make_collection(account, number=1), by=in_browser(collection.author))
    for _ in range(2):
        services.delete_account_collections(account=account)
    result = Collection.objects.get()
    assert (result.pk, result.follower_count) == (collection.pk, 0)
    assert not CollectionFollow.objects.exists()


def test_collections_change_no_ranking(site: Site, author: User) -> None:
    first, second = ListingFactory.create_batch(2, live=True, summary="About boats.")
    client, paths = Client(), ("/", "/boards/community-weekly", "/search?q=boats", "/api/v1/listings?q=boats")
    before = [client.get(path).content for path in paths]
    for one in range(3):
        put_into(make_collection(author, f"Number {one}"), second)
    forget_everything()
    assert [client.get(path).content for path in paths] == before
    assert first.votes == second.votes == 0
