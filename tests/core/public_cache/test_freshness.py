"""Each kind of change shows in the next answer to a visitor without a session."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from apps.core.stores.valkey.generations import LISTS, cache_client, touch
from apps.core.web.public_cache import answers, store
from apps.launches.votes.voting import toggle_vote
from apps.listings.models import Listing, Milestone, Update
from apps.listings.services.moderation import suspend_listing
from apps.orders.models import Product
from apps.sites.models import Site, SitePage
from apps.stories.models import InterviewQuestion
from tests.actors import by_team, in_browser
from tests.comments.people import comment_on
from tests.core.public_cache.commits import committed
from tests.core.public_cache.visitors import visitor, without_the_database
from tests.factories import CategoryFactory, ListingFactory, UserFactory, complete_profile
from tests.public_pages import make_listing
from tests.reviews.people import customer, review_of

pytestmark = pytest.mark.db


@pytest.fixture
def listing(site: Site) -> Listing:
    """A live listing with everything."""
    with committed():
        made = make_listing(site, "acme", "Acme")
    return Listing.objects.get(pk=made.pk)


def _save(row: Any, **values: Any) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    row.save()


def _suspend(listing: Listing) -> None:
    suspend_listing(listing=listing, by=by_team(UserFactory.create()), reason="Spam")


def _post(listing: Listing) -> None:
    Update.objects.create(listing=listing, title="Fresh", body="Words")


def _rename_founder(listing: Listing) -> None:
    _save(listing.company.owner.founder_profile, real_name="Grace Hopper")


def _write_terms(listing: Listing) -> None:
    SitePage.objects.create(site=listing.site, kind="terms", title="Ours", text="Be kind.")


def _raise_price(listing: Listing) -> None:
    _save(Product.objects.filter(site=listing.site, name="launch").get(), price_cents=123400)


# What is changed, and the pages that show it.
CHANGES: dict[str, tuple[Callable[[Listing], Any], list[str]]] = {
    "a listing is edited": (
        lambda one: _save(one, headline="Another headline"),
        ["/listings/acme", "/", "/search?q=acme", "/api/v1/listings", "/api/v1/listings/acme"],
    ),
    "its company is": (
        lambda one: _save(one.company, name="Renamed"),
        ["/listings/acme", "/search", "/launches.atom", "/founders/acme"],
    ),
    "it is suspended": (
        _suspend,
        ["/", "/boards/community-weekly", "/launches.atom", "/api/v1/leaderboards/community-weekly"],
    ),
    "an update is posted": (
        _post,
        ["/listings/acme", "/updates", "/listings/acme/updates.atom", "/api/v1/listings/acme"],
    ),
    "a milestone is added": (
        lambda one: Milestone.objects.create(listing=one, title="Fresh", date=timezone.now().date()),
        ["/listings/acme", "/api/v1/listings/acme"],
    ),
    "another listing launches": (
        lambda one: ListingFactory.create(site=one.site, live=True),
        ["/", "/weeks", "/api/v1/listings"],
    ),
    "a category is renamed": (
        lambda one: _save(one.categories.get(), name="Renamed"),
        ["/categories", "/listings/acme", "/api/v1/categories"],
    ),
    "a category is added": (
        lambda one: one.categories.add(CategoryFactory.create(site=one.site)),
        ["/categories", "/listings/acme", "/api/v1/listings/acme", "/api/v1/categories"],
    ),
    "a site is renamed": (
        lambda one: _save(one.site, name="Renamed"),
        ["/", "/listings/acme", "/stories", "/llms.txt"],
    ),
    "a page is written": (_write_terms, ["/terms"]),
    "a product costs more": (_raise_price, ["/api/v1/products", "/api/v1/weeks"]),
    "a statement changes products": (lambda one: Product.objects.update(price_cents=123400), ["/api/v1/products"]),
    "a founder changes": (_rename_founder, ["/founders/acme", "/founders", "/listings/acme", "/api/v1/listings/acme"]),
    "a question is asked": (
        lambda one: InterviewQuestion.objects.create(site=one.site, text="And why?", position=99),
        ["/api/v1/interview-questions"],
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_shows_at_once(listing: Listing, change: str) -> None:
    make, paths = CHANGES[change]
    before = {path: visitor().get(path).content for path in paths}
    with without_the_database():
        assert {path: visitor().get(path).content for path in paths} == before
    with committed():
        make(listing)
    after = {path: visitor().get(path).content for path in paths}
    cache_client().flushdb()
    assert after == {path: visitor().get(path).content for path in paths}
    assert [path for path in paths if after[path] == before[path]] == []


def test_another_listing_keeps_its_page(listing: Listing) -> None:
    with committed():
        other = ListingFactory.create(site=listing.site, live=True, slug="other")
    visitor().get("/listings/acme")
    with committed():
        _save(other, headline="Another headline")
        _save(other.company, name="Renamed")
    with without_the_database():
        visitor().get("/listings/acme")


def test_a_vote_shows_to_the_voter_at_once_and_to_others_in_time(listing: Listing) -> None:
    person = UserFactory.create()
    first = visitor().get("/listings/acme")
    before = first.content
    with committed():
        toggle_vote(listing=listing, by=in_browser(person))
    voter = visitor()
    voter.force_login(person)
    assert b'aria-pressed="true"' in voter.get("/listings/acme").content
    assert visitor().get("/listings/acme").content == before
    assert answers.seconds_to_store(first) == answers.FRESH_SECONDS == 10


def test_an_answer_that_was_begun_before_a_change_is_not_good(site: Site) -> None:
    lookup = store.find("page:late", "identity")
    assert lookup is not None
    with committed():
        touch(LISTS)
    stored = answers.StoredResponse([], is_compressible=False, is_counted=False, view_of=None)
    store.put("page:late", stored, b"old", began=lookup.now, names=[LISTS], seconds=10, room="plain")
    again = store.find("page:late", "identity")
    assert again is not None
    assert again.stored is None
    store.put("page:late", stored, b"new", began=again.now, names=[LISTS], seconds=10, room="plain")
    good = store.find("page:late", "identity")
    assert good is not None
    assert (good.stored, good.body) == (stored, b"new")


def test_one_request_renews_an_answer_before_it_expires(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_EARLY_MILLISECONDS", 700_000)
    stored = answers.StoredResponse([], is_compressible=False, is_counted=False, view_of=None)
    store.put("page:early", stored, b"old", began=b"9" * 15, names=[], seconds=600, room="plain")
    lookups = [store.find("page:early", "identity") for _ in range(3)]
    assert [one is not None and one.stored == stored for one in lookups] == [False, True, True]


@pytest.mark.parametrize("kind", ["comments", "reviews"])
def test_a_founder_s_new_name_shows_beside_what_they_wrote(listing: Listing, kind: str) -> None:
    with committed():
        author = customer()
        complete_profile(author)
        comment_on(listing, author=author)
        review_of(listing, author=author)
    paths = [f"/api/v1{listing.path}/{kind}", f"{listing.path}/{kind}", f"{listing.path}/{kind}.atom"]
    for path in paths:
        assert b"Grace Hopper" not in visitor().get(path).content
    with committed():
        _save(author.founder_profile, real_name="Grace Hopper")
    for path in paths:
        assert b"Grace Hopper" in visitor().get(path).content, path
