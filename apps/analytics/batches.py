"""Move counts from Valkey to PostgreSQL, each exactly once.

The hash of counts is renamed, written in one transaction that also saves the batch's number, and only then removed. If
a run breaks off in between, the next one sees by the number whether the batch was written.
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
from apps.core.valkey.counters import script

logger = logging.getLogger(__name__)

BATCH = "statistics:batch"
# A batch cannot come back later than the oldest backup of Valkey that anybody puts back.
_KEPT = timedelta(days=30)
_FIELD = re.compile(r"(\d{4}-\d\d-\d\d) (\d+) (?:(views|visitors|clicks)|source (.{1,80}))")

# A batch that is there is finished first. KEYS: counts, batch. ARGV: the number of a new batch.
_SET_ASIDE = """
if redis.call('EXISTS', KEYS[2]) == 0 and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('RENAME', KEYS[1], KEYS[2])
  redis.call('HSET', KEYS[2], 'number', ARGV[1])
end
return redis.call('HGETALL', KEYS[2])
"""
# Another worker may have finished the batch, and set the next one aside.
_REMOVE = "if redis.call('HGET', KEYS[1], 'number') == ARGV[1] then redis.call('UNLINK', KEYS[1]) end"

# Rows in a fixed order, so that two workers never wait for each other; listings that are gone are left out.
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
    """Counts that were set aside: of each listing and day, and of each source of its visits."""

    number: uuid.UUID
    days: dict[_Day, Counter[str]] = field(default_factory=dict)
    sources: Counter[tuple[int, date, str]] = field(default_factory=Counter)


def save_counts() -> int:
    """Write everything that is counted by now; returns how many batches were read.

    Safe at any time and in several workers. Raises RedisError if Valkey does not respond.
    """
    # The first may be one that was left behind; what was counted since is the second.
    count = sum(_save_one() for _ in range(2))
    StatisticsBatch.objects.filter(written_at__lt=timezone.now() - _KEPT).delete()
    return count


def _save_one() -> bool:
    batch = set_aside()
    if batch is None:
        return False
    write(batch)
    remove(batch)
    return True


def set_aside() -> Batch | None:
    """The batch that waits to be written, or a new one of everything counted so far; None when there is nothing."""
    answer = script(_SET_ASIDE)(keys=[COUNTS, BATCH], args=[str(uuid.uuid4())])
    found = {name.decode(): value.decode() for name, value in zip(answer[::2], answer[1::2], strict=True)}
    if not found:
        return None
    batch = Batch(uuid.UUID(found.pop("number")))
    for name, value in found.items():
        _read(batch, name, int(value))
    return batch


@transaction.atomic
def write(batch: Batch) -> bool:
    """Add the batch to the days in PostgreSQL; False when that was done before, also by somebody at the same time."""
    # A concurrent run waits here for the end of the first transaction.
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
    """Forget a batch that is written."""
    script(_REMOVE)(keys=[BATCH], args=[str(batch.number)])


def _read(batch: Batch, name: str, value: int) -> None:
    found = _FIELD.fullmatch(name)
    if found is None:
        # It would stay for ever, and all counts after it.
        logger.error("a counter of visits is left out", extra={"counter": name[:100]})
        return
    day, listing, kind, source = found.groups()
    key = (int(listing), date.fromisoformat(day))
    if source:
        batch.sources[(*key, source)] += value
    else:
        batch.days.setdefault(key, Counter())[kind] += value


def _numbers(counts: Counter[str]) -> tuple[int, int, int]:
    return counts["views"], counts["visitors"], counts["clicks"]


def _columns(rows: list[tuple[object, ...]], width: int) -> list[list[object]]:
    return [[row[column] for row in rows] for column in range(width)]
