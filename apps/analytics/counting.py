"""Count visits in Valkey.

All counts are in one hash, which a task moves to PostgreSQL every minute. Visitors are recognized by a set that lives
for one day. It holds digests with a random salt that is deleted with it.
"""

import secrets
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from apps.analytics.visits import is_from_own_page, is_page_view, is_somebodys, is_visit, source_of, visitor_of
from apps.core.api import rate_limits
from apps.core.request.client_ip import client_network
from apps.core.stores.valkey.counters import Limit, Standing, script
from apps.core.web.public_cache import counts_view_of
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest

COUNTS = "statistics:counts"
OTHER_SOURCES = "(others)"
# Far above any reader, or many behind one IP address. It keeps abuse from filling the memory.
VISITS = Limit("visits", 120, 60)
CLICKS = Limit("clicks", 60, 60)
# Campaign names are free text. Beyond this number per day and listing, they are counted together.
MOST_SOURCES = 100
# Clocks of web servers differ, and requests take time.
_GRACE_SECONDS = 300

# One call, so that a view is counted with its visitor and source or not at all.
# KEYS: counts, salt, visitors, sources. ARGV: field prefix, seconds, new salt, visitor, source, maximum number of
# sources, name of the rest.
_VIEW = """
redis.call('SET', KEYS[2], ARGV[3], 'NX', 'EX', ARGV[2])
local digest = redis.sha1hex(redis.call('GET', KEYS[2]) .. ARGV[4])
redis.call('HINCRBY', KEYS[1], ARGV[1] .. 'views', 1)
if redis.call('SADD', KEYS[3], digest) == 1 then
  redis.call('EXPIRE', KEYS[3], ARGV[2])
  redis.call('HINCRBY', KEYS[1], ARGV[1] .. 'visitors', 1)
end
local source = ARGV[5]
if source ~= '' then
  if redis.call('SISMEMBER', KEYS[4], source) == 0 then
    if redis.call('SCARD', KEYS[4]) < tonumber(ARGV[6]) then
      redis.call('SADD', KEYS[4], source)
      redis.call('EXPIRE', KEYS[4], ARGV[2])
    else
      source = ARGV[7]
    end
  end
  redis.call('HINCRBY', KEYS[1], ARGV[1] .. 'source ' .. source, 1)
end
"""
_CLICK = "redis.call('HINCRBY', KEYS[1], ARGV[1] .. 'clicks', 1)"


def count_view(request: SiteHttpRequest, listing: Listing) -> None:
    """Count a view of a listing's page, if it is one. Never raises if Valkey is down."""
    counts_view_of(request, listing.pk)
    if is_page_view(request) and is_visit(request, listing):
        rate_limits.breaker.call(lambda: _count_view(request, listing.pk))


def count_view_from_cache(request: SiteHttpRequest, listing_id: int, **_: Any) -> None:
    """Count a view of a live listing's page that came from the cache, for a visitor without a session."""
    if is_page_view(request) and is_somebodys(request):
        rate_limits.breaker.call(lambda: _count_view(request, listing_id))


def count_click(request: SiteHttpRequest, listing: Listing) -> Standing | None:
    """Count a click on the website link. Returns the rate limit's state, or None if nothing was counted."""
    if not is_from_own_page(request) or not is_visit(request, listing):
        return None
    return rate_limits.breaker.call(lambda: _count_click(request, listing))


def _count_view(request: SiteHttpRequest, listing_id: int) -> None:
    if not VISITS.try_take(client_network(request)).is_within:
        return
    now = timezone.now()
    day = now.astimezone(UTC).date().isoformat()
    keys = [COUNTS, f"statistics:salt:{day}", f"statistics:visitors:{day}", f"statistics:sources:{day}:{listing_id}"]
    script(_VIEW)(
        keys=keys,
        args=[
            _fields(day, listing_id),
            _seconds_left(now),
            secrets.token_hex(32),
            visitor_of(request, listing_id),
            source_of(request),
            MOST_SOURCES,
            OTHER_SOURCES,
        ],
    )


def _count_click(request: SiteHttpRequest, listing: Listing) -> Standing:
    standing = CLICKS.try_take(client_network(request))
    if standing.is_within:
        day = timezone.now().astimezone(UTC).date().isoformat()
        script(_CLICK)(keys=[COUNTS], args=[_fields(day, listing.pk)])
    return standing


def _fields(day: str, listing_id: int) -> str:
    return f"{day} {listing_id} "


def _seconds_left(now: datetime) -> int:
    """Return how long to keep a day's data: until shortly after midnight UTC."""
    tomorrow = datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time.min, UTC)
    return int((tomorrow - now).total_seconds()) + _GRACE_SECONDS
