"""What begins a new generation: rows that are saved or deleted, and statements that no row tells of."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction

from apps.core.stores.valkey import generations
from apps.core.stores.valkey.generations import (
    EVERYTHING,
    LISTS,
    PREFIX,
    SITES,
    company_name,
    listing_name,
    only,
    site_name,
)
from apps.core.stores.valkey.watch import PublicRow
from apps.listings.models import Category, Company, Listing, Update
from apps.listings.services.followers import follow
from apps.sites.models import Site
from tests.actors import in_browser
from tests.core.public_cache.commits import committed
from tests.factories import CategoryFactory, ListingFactory, UserFactory

# What no public page shows, or what it may show a minute late: votes (docs/decisions/0024).
NOT_PUBLIC = {
    "accounts.ApiKey", "accounts.Application", "accounts.Connection", "accounts.DataExport", "accounts.User",
    "blocklists.BlockRule",
    "analytics.DailyReferrer", "analytics.DailyStatistics", "analytics.StatisticsBatch",
    "reviews.CustomerDomain", "reviews.ReviewLink", "reviews.ReviewVersion",
    "core.IdempotencyRecord", "core.OutgoingEmail",
    "curation.CollectionFollow",
    "drafts.Draft",
    "drafts.DraftPicture",
    "events.Event", "events.EventCounter",
    "launches.LedgerEntry", "launches.Standing", "launches.Vote", "launches.VoteGroup",
    "launches.VoteLedger",
    "launches.LaunchReminder", "listings.Claim", "listings.Follow", "listings.ListingVersion", "listings.SearchWord",
    "moderation.Appeal", "moderation.Case", "moderation.Decision", "moderation.Report",
    "newsletter.NewsletterSubscription", "notifications.Digest",
    "orders.ExchangeRate", "orders.GatewaySession", "orders.Invoice", "orders.InvoiceSeries", "orders.Order",
    "orders.OrderLine", "orders.Payment", "orders.PaymentEvent", "orders.ProductVersion", "orders.PromoCode",
    "orders.PromoUse", "orders.Refund",
    "sites.SitePageVersion",
    "stories.InterviewVersion", "stories.StoryVersion", "stories.UnsavedText",
    "webhooks.Attempt", "webhooks.Cursor", "webhooks.Delivery", "webhooks.Endpoint",
}  # fmt: skip


@contextmanager
def renewed(*names: str) -> Iterator[None]:
    """Exactly these of all known generations are new after the block and its commit."""
    known = {EVERYTHING, SITES, LISTS, *names, *_all_names()}
    before = _marks(known)
    with committed():
        yield
    after = _marks(known)
    assert {name for name in known if before[name] != after[name]} == set(names)


def _all_names() -> Iterator[str]:
    for row in (*Site.objects.all(), *Listing.objects.all(), *Company.objects.all()):
        yield {Site: site_name, Listing: listing_name, Company: company_name}[type(row)](row.pk)


def _marks(names: set[str]) -> dict[str, bytes | str | None]:
    keys = sorted(names)
    return dict(zip(keys, generations.cache_client().mget([PREFIX + name for name in keys]), strict=True))


def test_every_model_says_whether_public_pages_show_it() -> None:
    own = [model for model in apps.get_models() if model.__module__.startswith("apps.")]
    private = {model._meta.label for model in own if not issubclass(model, PublicRow)}
    assert private == NOT_PUBLIC


def test_no_number_comes_twice_though_valkey_forgets(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generations, "_RECENT_SECONDS", 0)
    seen = []
    for _ in range(3):
        seen += [generations.recent(SITES), generations.recent(SITES)]
        generations.cache_client().flushdb()
    assert seen[0] == seen[1]
    assert len(set(seen)) == 3


@pytest.fixture
def listing(site: Site) -> Listing:
    """A live listing, and another one beside it, whose generation stays."""
    with committed():
        ListingFactory.create(site=site, live=True)
        listing: Listing = ListingFactory.create(site=site, live=True)
    return Listing.objects.get(pk=listing.pk)


def test_a_saved_row_renews_what_shows_it(listing: Listing) -> None:
    with renewed(listing_name(listing.pk), LISTS):
        listing.headline = "Another one"
        listing.save(update_fields=["headline"])
    with renewed(company_name(listing.company_id), LISTS):
        listing.company.save()
    with renewed(SITES, site_name(listing.site_id)):
        listing.site.save()


def test_a_row_that_is_made_or_deleted_does_too(listing: Listing) -> None:
    with renewed(listing_name(listing.pk), LISTS):
        update = Update.objects.create(listing=listing, title="News", body="Words")
    with renewed(listing_name(listing.pk), LISTS):
        update.delete()
    with renewed(site_name(listing.site_id)):
        Category.objects.create(site=listing.site, slug="more", name="More")


def test_another_status_renews_the_whole_site(listing: Listing) -> None:
    with renewed(listing_name(listing.pk), LISTS, site_name(listing.site_id)):
        listing.move_to(Listing.Status.ARCHIVED)


@pytest.mark.parametrize(
    "change",
    [
        lambda listing: Listing.objects.filter(pk=listing.pk).update(headline="Another one"),
        lambda listing: Listing.objects.bulk_update([listing], ["headline"]),
        lambda listing: Update.objects.bulk_create([Update(listing=listing, title="News", body="Words")]),
        lambda listing: Category.objects.filter(site=listing.site).delete(),
        lambda listing: listing.categories.add(CategoryFactory.create(site=listing.site)),
        lambda listing: _run("\n  WITH one AS (SELECT 1) UPDATE listings_company SET city = 'Oslo'"),
        lambda listing: _run("update only listings_company set city = 'Oslo'"),
    ],
)
def test_a_statement_without_a_row_renews_everything(listing: Listing, change: Callable[[Listing], Any]) -> None:
    before = _marks({EVERYTHING})
    with committed():
        change(listing)
    assert _marks({EVERYTHING}) != before


def _run(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def test_a_block_says_what_its_statements_change(listing: Listing) -> None:
    with renewed(LISTS), only(lambda: [LISTS]):
        Listing.objects.update(headline="Another one")
    with renewed(), only(tuple):
        Listing.objects.update(headline="Yet another one")


def test_rows_that_are_not_public_renew_nothing(listing: Listing) -> None:
    with renewed():
        follow(listing=listing, by=in_browser(UserFactory.create()))
        Listing.objects.select_for_update().get(pk=listing.pk)


def test_a_change_that_is_taken_back_renews_nothing(listing: Listing) -> None:
    with renewed(), transaction.atomic():
        listing.save()
        transaction.set_rollback(True)


def test_a_process_sees_its_own_changes_and_others_after_a_second(
    listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = generations.recent(SITES)
    assert first is not None
    assert generations.recent(SITES) == first
    with committed():
        listing.site.save()
        # Nothing that was kept is good in the transaction that has changed it.
        assert generations.recent(SITES) is None
    second = generations.recent(SITES)
    assert second not in {None, first}
    # Another process.
    generations.cache_client().set("generation:sites", "third")
    assert generations.recent(SITES) == second
    monkeypatch.setattr(generations, "_RECENT_SECONDS", 0)
    assert generations.recent(SITES) == "third"
