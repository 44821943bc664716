"""Each kind of change shows in the next answer to a visitor, and pages that don't show it stay cached."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.accounts.actors import SYSTEM
from apps.accounts.models import User
from apps.curation.models import Collection
from apps.curation.services.collections import delete_collection, edit_collection
from apps.curation.services.following import follow_collection
from apps.curation.services.moderation import remove_collection
from apps.listings.models import Listing
from tests.actors import in_browser
from tests.comments.people import trusted
from tests.core.public_cache.commits import committed
from tests.core.public_cache.visitors import visitor, without_the_database
from tests.curation.making import archive, ids, make_collection, put_into, texts_of
from tests.factories import ListingFactory, UserFactory

pytestmark = pytest.mark.db


@pytest.fixture
def collection(author: User, listing: Listing) -> Collection:
    """A public collection of `acme` and three others, committed."""
    with committed():
        made = make_collection(author, number=3)
        put_into(made, listing)
    return Collection.objects.get(pk=made.pk)


def edit(collection: Collection, **values: Any) -> None:
    edit_collection(collection=collection, by=in_browser(collection.author), **{**texts_of(collection), **values})


PAGE, FEED, LIST, LISTING = "{path}", "{path}.atom", "/collections", "/listings/acme"
CHANGES: dict[str, tuple[Callable[[Collection], Any], list[str]]] = {
    "renamed": (lambda one: edit(one, name="Renamed"), [PAGE, FEED, LIST, LISTING]),
    "private": (lambda one: edit(one, is_public=False), [PAGE, FEED, LIST, LISTING]),
    "removed": (lambda one: remove_collection(collection=one, reason="Rude.", by=SYSTEM), [PAGE, FEED, LIST, LISTING]),
    "deleted": (lambda one: delete_collection(collection=one, by=in_browser(one.author)), [PAGE, FEED, LIST, LISTING]),
    "reordered": (lambda one: edit(one, order=ids(one)[::-1]), [PAGE, LIST]),
    "a note": (lambda one: edit(one, notes={ids(one)[0]: "A note"}), [PAGE, FEED]),
    "a listing left": (lambda one: edit(one, removed={ids(one)[3]}), [PAGE, FEED, LIST, LISTING]),
    "a listing came": (lambda one: put_into(one, ListingFactory.create(live=True)), [PAGE, FEED, LIST]),
    "a listing was archived": (lambda one: archive(one.items.all()[0].listing), [PAGE, FEED, LIST]),
    "followed": (lambda one: follow_collection(collection=one, by=in_browser(UserFactory.create())), [PAGE, LIST]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_shows_in_the_next_answer(name: str, collection: Collection) -> None:
    change, pages = CHANGES[name]
    paths = [page.format(path=collection.path) for page in pages]
    before = {path: visitor().get(path).content for path in paths}
    with without_the_database():
        assert {path: visitor().get(path).content for path in paths} == before
    with committed():
        change(collection)
    for path, old in before.items():
        assert visitor().get(path).content != old, path


def test_what_nobody_else_sees_ends_no_cached_page(collection: Collection, listing: Listing) -> None:
    paths = [collection.path, "/collections", "/listings/acme", "/"]
    with committed():
        private = make_collection(collection.author, "Private", is_public=False)
    before = {path: visitor().get(path).content for path in paths}
    with committed():
        put_into(private, listing)
        edit(private, notes={ids(private)[0]: "A note"})
        delete_collection(collection=private, by=in_browser(private.author))
    with without_the_database():
        assert {path: visitor().get(path).content for path in paths} == before


def test_pages_without_the_collection_stay_cached(collection: Collection) -> None:
    with committed():
        other = make_collection(trusted(), "Other", number=3)
    paths = ["/", other.path, other.items.all()[0].listing.path]
    before = {path: visitor().get(path).content for path in paths}
    with committed():
        edit(collection, name="Renamed")
        follow_collection(collection=collection, by=in_browser(UserFactory.create()))
    with without_the_database():
        assert {path: visitor().get(path).content for path in paths} == before
