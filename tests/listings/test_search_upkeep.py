"""Search vectors follow the texts, no matter who changed them; and everything can be indexed anew beside writers."""

import threading
from collections.abc import Sequence
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.core.management.commands.seed_demo import Command as SeedDemo
from apps.listings.models import Category, Company, Listing, ListingVersion, SearchWord
from apps.listings.search import find_listings, index, indexing
from apps.listings.search.vectors import CUTTING, Texts, vector_of
from apps.listings.services.creation import create_listing
from apps.listings.services.editing import restore_version, update_my_listing
from apps.listings.services.merging import merge_companies
from apps.listings.tasks import reindex_search
from apps.sites.models import Site
from tests.factories import CategoryFactory, ListingFactory, SiteFactory
from tests.waiting import PATIENCE_SECONDS, wait_until_blocked

pytestmark = pytest.mark.db


def stale() -> list[int]:
    """The listings whose vector is not what their texts, read now, make."""
    result = []
    for listing in Listing.objects.select_related("company").prefetch_related("categories"):
        categories = [one.name for one in sorted(listing.categories.all(), key=lambda one: (one.position, one.pk))]
        texts = Texts(
            listing.company.name, listing.headline, listing.tags, listing.summary, categories, listing.description
        )
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s::tsvector::text", [str(vector_of(texts))])
            if cursor.fetchone()[0] != listing.search_vector:
                result.append(listing.pk)
    return result


@pytest.fixture
def listing(site: Site) -> Listing:
    """A live listing, in a category, and its company listed on a second site too."""
    made: Listing = ListingFactory.create(live=True, company__name="Acme")
    made.categories.add(CategoryFactory.create(site=site, slug="boats", name="Boats"))
    index(listing_ids=[made.pk])
    ListingFactory.create(live=True, company=made.company, site=SiteFactory.create(key="second"))
    return made


@pytest.fixture
def by(listing: Listing) -> Actor:
    return Actor(user=listing.company.owner, via="browser")


CHANGES: dict[str, dict[str, Any]] = {
    "name": {"name": "Zephyrine"},
    "headline": {"headline": "Zephyrine"},
    "summary": {"summary": "Zephyrine"},
    "description": {"description": "Zephyrine"},
    "tags": {"tags": ["zephyrine"]},
    "categories": {"categories": ["zephyrine"]},
    "all": {"name": "Zephyrine", "headline": "Zephyrine", "tags": [], "categories": []},
}


@pytest.mark.parametrize("fields", CHANGES.values(), ids=CHANGES)
def test_an_edit_is_found_at_once_and_so_is_its_restored_version(
    site: Site, listing: Listing, by: Actor, fields: dict[str, Any]
) -> None:
    CategoryFactory.create(site=site, slug="zephyrine", name="Zephyrine")
    update_my_listing(listing=listing, fields=fields, by=by)
    assert stale() == []
    assert [one.pk for one in find_listings(site=site, text="zephyrine", page=1, per_page=9).items] == [listing.pk]
    first = ListingVersion.objects.order_by("pk")[0]
    assert restore_version(version=first, by=by)
    assert stale() == []


def test_an_edit_that_travels_to_another_site_is_found_there(listing: Listing, by: Actor) -> None:
    update_my_listing(listing=listing, fields={"headline": "Zephyrine"}, apply_to=["all"], by=by)
    assert stale() == []
    assert find_listings(site=Site.objects.get(key="second"), text="zephyrine", page=1, per_page=9).total == 1


def test_a_new_listing_is_indexed(listing: Listing, by: Actor) -> None:
    fields = {"name": "Other", "headline": "New", "tags": ["fresh"], "categories": ["boats"], "description": "More."}
    create_listing(site=listing.site, website="https://other.example", fields=fields, by=by)
    assert Listing.objects.count() == 3
    assert stale() == []


def test_listings_of_a_merged_company_have_its_name(listing: Listing, by: Actor) -> None:
    other = ListingFactory.create(live=True, company__name="Zephyrine", company__owner=by.account)
    third = ListingFactory.create(company=other.company, site=SiteFactory.create())
    merge_companies(keep=listing.company, drop=other.company, by=Actor(user=by.user, via="admin"))
    third.refresh_from_db()
    assert third.company == listing.company
    assert stale() == []


def change_in_admin(client: Client, row: Company | Listing | Category, **values: Any) -> None:
    """Post the admin's form of the row with its values as they are, but for some."""
    address = reverse(f"admin:listings_{row._meta.model_name}_change", args=[row.pk])
    form = client.get(address).context["adminform"].form
    kept = {name: form[name].value() for name in form.fields}
    shown = {name: "" if value is None else value for name, value in kept.items()}
    if isinstance(row, Company):
        shown |= {"socials": "{}", "platforms": "", "tech_stack": "", "screenshots": ""}
    answer = client.post(address, shown | values)
    assert answer.status_code == 302, answer.context["adminform"].form.errors


@pytest.mark.slow
def test_what_the_admin_changes_is_indexed(team: Client, listing: Listing) -> None:
    change_in_admin(team, listing.company, name="Zephyrine")
    assert stale() == []
    change_in_admin(team, listing, headline="Another headline")
    assert stale() == []
    category = listing.categories.get()
    change_in_admin(team, category, name="Sailing", synonyms="")
    assert stale() == []
    assert find_listings(site=listing.site, text="zephyrine another sailing", page=1, per_page=9).total == 1
    team.post(reverse("admin:listings_category_delete", args=[category.pk]), {"post": "yes"})
    assert not Category.objects.filter(pk=category.pk).exists()
    assert stale() == []


@pytest.mark.slow
def test_the_demo_is_indexed(site: Site) -> None:
    call_command(SeedDemo())
    assert Listing.objects.count() > 20
    assert stale() == []


def test_reindexing_repairs_what_is_missing_and_wrong(
    listing: Listing, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(indexing, "BATCH", 2)
    others = [ListingFactory.create() for _ in range(4)]
    Listing.objects.filter(pk=others[0].pk).update(search_vector=None)
    Listing.objects.filter(pk=others[1].pk).update(headline="Written past the services")
    Company.objects.filter(pk=others[2].company_id).update(name="Renamed past the services")
    SearchWord.objects.all().delete()
    SearchWord.objects.create(site=listing.site, word="forgotten", deletions=["forgotten"])
    assert len(stale()) == 3
    call_command("reindex_search")
    assert stale() == []
    assert capsys.readouterr().out == "6 listings are indexed.\n"
    words = set(SearchWord.objects.filter(site=listing.site).values_list("word", flat=True))
    assert {"acme", "written", "renamed"} <= words
    assert "forgotten" not in words


def test_a_day_later_only_what_changed_is_indexed(listing: Listing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "COMPARED", 2)
    others = [ListingFactory.create() for _ in range(5)]
    indexing.index_in_batches([one.pk for one in Listing.objects.all()])
    Listing.objects.filter(pk=others[0].pk).update(search_vector=None)
    Listing.objects.filter(pk=others[1].pk).update(headline="Written past the services")
    Company.objects.filter(pk=others[2].company_id).update(name="Renamed past the services")
    Category.objects.update(name="Sailing past the services")
    indexed: list[int] = []
    index_batch = indexing.index_batch

    def note(listing_ids: Sequence[int]) -> None:
        indexed.extend(listing_ids)
        index_batch(listing_ids)

    monkeypatch.setattr(indexing, "index_batch", note)
    reindex_search()
    assert indexed == [listing.pk, *(one.pk for one in others[:3])]
    assert stale() == []
    reindex_search()
    assert len(indexed) == 4
    # Another release may cut the same texts in another way.
    monkeypatch.setattr(indexing, "CUTTING", CUTTING + 1)
    reindex_search()
    assert len(indexed) == 4 + Listing.objects.count()


def test_reindexing_writes_no_listing_that_is_right(listing: Listing) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, xmin, ctid FROM listings_listing ORDER BY id")
        before = cursor.fetchall()
        indexing.index_in_batches([row[0] for row in before])
        cursor.execute("SELECT id, xmin, ctid FROM listings_listing ORDER BY id")
        # Locking alone leaves its mark in xmax, never a new version of the row.
        assert cursor.fetchall() == before


def test_a_change_that_concerns_many_listings_is_finished_by_a_worker(
    listing: Listing, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(indexing, "AT_ONCE", 1)
    category = listing.categories.get()
    for _ in range(2):
        ListingFactory.create().categories.add(category)
    Category.objects.filter(pk=category.pk).update(name="Sailing")
    left: list[list[int]] = []
    monkeypatch.setattr("apps.listings.tasks.index_listings.delay", left.append)
    with django_capture_on_commit_callbacks(execute=True):
        index(category_id=category.pk)
    assert len(stale()) == len(left[0]) == 2
    indexing.index_in_batches(left[0])
    assert stale() == []


@pytest.mark.django_db(transaction=True)
def test_two_edits_at_once_leave_a_vector_with_both(site: Site) -> None:
    """Each sees only its own change until the other commits; who comes second indexes both."""
    listing = ListingFactory.create(live=True, company__name="Acme")
    changed, may_commit = threading.Event(), threading.Event()

    def rename() -> None:
        try:
            with transaction.atomic():
                Company.objects.filter(pk=listing.company_id).update(name="Zephyrine")
                changed.set()
                assert may_commit.wait(PATIENCE_SECONDS)
                index(company_id=listing.company_id)
        finally:
            connection.close()

    thread = threading.Thread(target=rename)
    thread.start()
    assert changed.wait(PATIENCE_SECONDS)
    with transaction.atomic():
        Listing.objects.filter(pk=listing.pk).update(headline="Sailing")
        index(listing_ids=[listing.pk])
        # The renaming comes to its indexing while this has the listing.
        may_commit.set()
        wait_until_blocked()
    thread.join()
    assert stale() == []
    assert find_listings(site=site, text="zephyrine sailing", page=1, per_page=9).total == 1
