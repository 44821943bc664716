"""Changes of a collection that meet: each happens completely, and nothing is lost or there twice."""

from functools import partial

import pytest

from apps.curation.models import Collection, CollectionItem
from apps.curation.services import collections as services
from apps.curation.services.collections import create_collection, delete_collection, edit_collection
from apps.curation.services.following import follow_collection, unfollow_collection
from apps.curation.services.items import save_listing
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.comments.people import trusted
from tests.curation.making import ids, make_collection, put_into, texts_of
from tests.factories import ListingFactory, UserFactory
from tests.racing import count_outcomes, run_at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def collection(site: Site) -> Collection:
    return make_collection(trusted(), number=3)


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(live=True)
    return made


def test_adding_twice_gives_one_item(collection: Collection, listing: Listing) -> None:
    only, by = {collection.pk}, in_browser(collection.author)
    save = partial(save_listing, listing=listing, chosen=only, offered=only, by=by)
    assert count_outcomes(save, save, save) == {"done": 3}
    assert CollectionItem.objects.filter(listing=listing).count() == 1


def test_two_tabs_that_reorder_lose_no_item(collection: Collection, listing: Listing) -> None:
    first, second, third = ids(collection)
    by = in_browser(collection.author)
    edit = partial(edit_collection, collection=collection, **texts_of(collection), by=by)
    orders = [third, first, second], [second, third, first]
    calls = [partial(edit, order=order) for order in orders]
    count_outcomes(*calls, partial(put_into, collection, listing))
    result = ids(collection)
    assert result[:3] in orders or [pk for pk in result if pk in {first, second, third}] in orders
    assert len(result) == 4


def test_the_limit_holds(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_COLLECTIONS", 2)
    by = in_browser(trusted())
    create = partial(create_collection, site=site, name="The same name", by=by)
    assert count_outcomes(*[create] * 4) == {"done": 2, "too_many_collections": 2}
    assert set(Collection.objects.values_list("slug", flat=True)) == {"the-same-name", "the-same-name-2"}


def test_followers_are_counted(collection: Collection) -> None:
    people = [in_browser(UserFactory.create()) for _ in range(4)]
    calls = [partial(follow_collection, collection=collection, by=by) for by in people]
    count_outcomes(*calls, calls[0], partial(unfollow_collection, collection=collection, by=people[3]))
    result = Collection.objects.get()
    assert result.follower_count == result.follows.count()


def test_an_edit_meets_the_deletion(collection: Collection) -> None:
    by = in_browser(collection.author)
    edit = partial(edit_collection, collection=collection, **{**texts_of(collection), "name": "Too late"}, by=by)
    run_at_once(edit, partial(delete_collection, collection=collection, by=by))
    assert not Collection.objects.exists()
    assert not CollectionItem.objects.exists()
