"""Move counts from Valkey to PostgreSQL, each exactly once.

The hash of counts is renamed, then saved in a transaction that also records the batch number, and only then deleted.
After an interruption, the next run checks the number to see whether the batch was saved.
"""

import logging
import re
import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.db import connection, transaction
from django.utils import timezone

from apps.analytics.counting import COUNTS
from apps.analytics.models import StatisticsBatch
from apps.core.stores.valkey.counters import script

logger = logging.getLogger(__name__)

BATCH = "statistics:batch"
# Longer than the age of any Valkey backup that might be restored.
_LIFETIME = timedelta(days=30)
_FIELD = re.compile(r"(\d{4}-\d\d-\d\d) (\d+) (?:(views|visitors|clicks)|source (.{1,80}))")

# Finish an existing batch first. KEYS: counts, batch. ARGV: number of a new batch.
_SET_ASIDE = """
if redis.call('EXISTS', KEYS[2]) == 0 and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('RENAME', KEYS[1], KEYS[2])
  redis.call('HSET', KEYS[2], 'number', ARGV[1])
end
return redis.call('HGETALL', KEYS[2])
"""
# Another worker may have finished this batch and started the next.
_REMOVE = "if redis.call('HGET', KEYS[1], 'number') == ARGV[1] then redis.call('UNLINK', KEYS[1]) end"

# A fixed row order prevents deadlocks between workers. Deleted listings are skipped.
_ADD_DAYS = """
INSERT INTO analytics_dailystatistics AS kept (listing_id, day, views, visitors, clicks)
SELECT new.listing, new.day, new.views, new.visitors, new.clicks
FROM unnest(%s::bigint[], %s::date[], %s::int[], %s::int[], %s::int[])
  AS new (listing, day, views, visitors, clicks)
JOIN listings_listing ON listings_listing.id = new.listing
ORDER BY new.listing, new.day
ON CONFLICT (listing_id, day) DO UPDATE SET
  views = kept.views + EXCLUDED.views,
  visitors = kept.visitors + EXCLUDED.visitors,
  clicks = kept.clicks + EXCLUDED.clicks
"""
_ADD_REFERRERS = """
INSERT INTO analytics_dailyreferrer AS kept (listing_id, day, source, views)
SELECT new.listing, new.day, new.source, new.views
FROM unnest(%s::bigint[], %s::date[], %s::text[], %s::int[]) AS new (listing, day, source, views)
JOIN listings_listing ON listings_listing.id = new.listing
ORDER BY new.listing, new.day, new.source
ON CONFLICT (listing_id, day, source) DO UPDATE SET views = kept.views + EXCLUDED.views
"""

_Day = tuple[int, date]


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch of counts: per listing and day, and per source of its visits."""

    number: uuid.UUID
    days: dict[_Day, Counter[str]] = field(default_factory=dict)
    sources: Counter[tuple[int, date, str]] = field(default_factory=Counter)


def save_counts() -> int:
    """Save everything counted so far. Returns how many batches were saved.

    Safe to run at any time and in several workers. Raises RedisError if Valkey does not respond.
    """
    # The first batch may be an earlier leftover, and the second has the counts since.
    count = sum(_save_one() for _ in range(2))
    StatisticsBatch.objects.filter(written_at__lt=timezone.now() - _LIFETIME).delete()
    return count


def _save_one() -> bool:
    batch = set_aside()
    if batch is None:
        return False
    write(batch)
    remove(batch)
    return True


def set_aside() -> Batch | None:
    """Return the waiting batch, or start a new one from all counts. None if there is nothing."""
    answer = script(_SET_ASIDE)(keys=[COUNTS, BATCH], args=[str(uuid.uuid4())])
    result = {name.decode(): value.decode() for name, value in zip(answer[::2], answer[1::2], strict=True)}
    if not result:
        return None
    batch = Batch(uuid.UUID(result.pop("number")))
    for name, value in result.items():
        _read(batch, name, int(value))
    return batch


@transaction.atomic
def write(batch: Batch) -> bool:
    """Add the batch to PostgreSQL's daily numbers. Returns False if it was already saved, even concurrently."""
    # A concurrent run waits here until the first transaction ends.
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO analytics_statisticsbatch (key, written_at) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            [batch.number, timezone.now()],
        )
        if not cursor.rowcount:
            return False
        cursor.execute(_ADD_DAYS, _columns([(*day, *_numbers(counts)) for day, counts in batch.days.items()], 5))
        cursor.execute(_ADD_REFERRERS, _columns([(*place, views) for place, views in batch.sources.items()], 4))
    return True


def remove(batch: Batch) -> None:
    """Delete a saved batch."""
    script(_REMOVE)(keys=[BATCH], args=[str(batch.number)])


def _read(batch: Batch, name: str, value: int) -> None:
    result = _FIELD.fullmatch(name)
    if result is None:
        # Otherwise it would block all later counts forever.
        logger.error("a counter of visits is left out", extra={"counter": name[:100]})
        return
    day, listing, kind, source = result.groups()
    key = (int(listing), date.fromisoformat(day))
    if source:
        batch.sources[(*key, source)] += value
    else:
        batch.days.setdefault(key, Counter())[kind] += value


def _numbers(counts: Counter[str]) -> tuple[int, int, int]:
    return counts["views"], counts["visitors"], counts["clicks"]


def _columns(rows: list[tuple[object, ...]], width: int) -> list[list[object]]:
    return [[row[column] for row in rows] for column in range(width)]
