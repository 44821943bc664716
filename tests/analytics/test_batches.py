"""Counts reach PostgreSQL exactly once: also when a worker dies half-way, when several work, and while visits go on."""

import threading
import uuid
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from redis import RedisError

from apps.analytics import batches, tasks
from apps.analytics.batches import BATCH, remove, save_counts, set_aside, write
from apps.analytics.counting import COUNTS
from apps.analytics.models import DailyReferrer, DailyStatistics, StatisticsBatch
from apps.analytics.schedule import BEAT
from apps.core.stores.valkey.counters import script, valkey
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.analytics.visiting import browser, click, counted, sources, view
from tests.factories import ListingFactory
from tests.racing import run_at_once
from tests.waiting import wait_until_blocked

pytestmark = pytest.mark.db


@pytest.fixture
def listing(site: Site) -> Listing:
    made: Listing = ListingFactory.create(live=True)
    return made


def count(listing: Listing, *, views: int = 1, day: str = "2026-11-21") -> None:
    """Counts as visits make them."""
    pipeline = valkey().pipeline()
    pipeline.hincrby(COUNTS, f"{day} {listing.pk} views", views)
    pipeline.hincrby(COUNTS, f"{day} {listing.pk} source mail.example", views)
    pipeline.execute()


def views_of(listing: Listing) -> tuple[int, int]:
    """The views that are kept, and those with their source."""
    rows = DailyStatistics.objects.filter(listing=listing).values_list("views", flat=True)
    places = DailyReferrer.objects.filter(listing=listing).values_list("views", flat=True)
    return sum(rows), sum(places)


def test_the_scheduler_moves_them_every_minute(listing: Listing) -> None:
    assert BEAT["counts-save"] == {"task": tasks.save_counts.name, "schedule": 60.0}
    count(listing, views=3)
    save_counts()
    assert views_of(listing) == (3, 3)
    assert not valkey().exists(COUNTS, BATCH)


def test_later_counts_are_added(listing: Listing) -> None:
    for views in (2, 5):
        count(listing, views=views)
        assert save_counts() == 1
    count(listing, day="2026-11-22")
    save_counts()
    assert views_of(listing) == (8, 8)
    assert DailyStatistics.objects.count() == DailyReferrer.objects.count() == 2
    assert save_counts() == 0


@pytest.mark.parametrize("died", ["after setting aside", "while writing", "before removing"])
def test_a_worker_that_dies_loses_nothing_and_doubles_nothing(
    listing: Listing, died: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    count(listing, views=3)
    step = {"after setting aside": "write", "while writing": "_columns", "before removing": "remove"}[died]
    with monkeypatch.context() as patch:
        patch.setattr(batches, step, _die)
        with pytest.raises(KeyboardInterrupt):
            save_counts()
    assert views_of(listing) == ((3, 3) if died == "before removing" else (0, 0))
    count(listing, views=10)
    assert save_counts() == 2
    assert save_counts() == 0
    assert views_of(listing) == (13, 13)


def _die(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_batch_that_comes_back_is_not_added_again(listing: Listing) -> None:
    """As from a backup of Valkey that was made before the batch was removed."""
    count(listing, views=3)
    batch = set_aside()
    assert batch is not None
    assert write(batch)
    copy = valkey().dump(BATCH)
    assert copy is not None
    remove(batch)
    valkey().restore(BATCH, 0, copy)
    save_counts()
    assert views_of(listing) == (3, 3)
    assert not valkey().exists(BATCH)


def test_a_slow_worker_does_not_remove_the_next_batch(listing: Listing) -> None:
    count(listing, views=3)
    slow = set_aside()
    assert slow is not None
    save_counts()
    count(listing, views=4)
    following = set_aside()
    assert following is not None
    assert following.number != slow.number
    assert not write(slow)
    remove(slow)
    save_counts()
    assert views_of(listing) == (7, 7)


def test_listings_that_are_gone_do_not_hold_up_the_others(listing: Listing) -> None:
    valkey().hset(COUNTS, mapping={"2026-11-21 987654321 views": 1, "2026-11-21 987654321 source x": 1, "odd": 1})
    count(listing)
    save_counts()
    assert views_of(listing) == (1, 1)
    assert DailyStatistics.objects.count() == 1


def test_numbers_of_batches_are_forgotten_in_time(listing: Listing) -> None:
    old = StatisticsBatch.objects.create(key=uuid.uuid4(), written_at=timezone.now() - timedelta(days=31))
    recent = StatisticsBatch.objects.create(key=uuid.uuid4(), written_at=timezone.now() - timedelta(days=29))
    count(listing)
    save_counts()
    kept = set(StatisticsBatch.objects.values_list("key", flat=True))
    assert recent.key in kept
    assert old.key not in kept
    assert len(kept) == 2


def test_an_outage_is_the_tasks_matter_alone(listing: Listing, valkey_out: Any) -> None:
    count(listing)
    with valkey_out("refuses"), pytest.raises(RedisError):
        save_counts()
    save_counts()
    assert views_of(listing) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_two_workers_write_one_batch_once(site: Site) -> None:
    listing = ListingFactory.create(live=True)
    count(listing, views=3)
    batch = set_aside()
    assert batch is not None

    is_written = threading.Event()

    def first() -> str:
        with transaction.atomic():
            written = write(batch)
            is_written.set()
            wait_until_blocked()
        return str(written)

    def second() -> str:
        is_written.wait()
        return str(write(batch))

    assert run_at_once(*[first, second]) == ["True", "False"]
    remove(batch)
    assert views_of(listing) == (3, 3)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_visits_and_flushes_at_the_same_time(site: Site) -> None:
    """Every view from several threads reaches PostgreSQL, whichever thread moved it."""
    listing = ListingFactory.create(live=True)

    def visit(number: int) -> str:
        client = browser(address=f"192.0.2.{number}")
        for _ in range(5):
            view(client, listing, referer="https://mail.example/")
            click(client, listing)
        return "visited"

    def move() -> str:
        for _ in range(10):
            save_counts()
        return "moved"

    run_at_once(*(partial(visit, number) for number in range(1, 5)), move, move)
    assert counted(listing) == (20, 4, 20)
    assert sources(listing) == {"mail.example": 20}


def test_setting_aside_is_one_step(listing: Listing) -> None:
    """Later counts go to a fresh hash."""
    count(listing, views=3)
    batch = set_aside()
    assert batch is not None
    assert batch.days[(listing.pk, date(2026, 11, 21))] == {"views": 3}
    assert not valkey().exists(COUNTS)
    count(listing, views=4)
    again = set_aside()
    assert again == batch
    assert script("return redis.call('HLEN', KEYS[1])")(keys=[COUNTS]) == 2
    assert connection.vendor == "postgresql"
