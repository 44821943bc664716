"""Cached responses in Valkey: a hash for each key, with a body for each encoding."""

from dataclasses import dataclass

from apps.core.stores.valkey import generations
from apps.core.stores.valkey.generations import CLOCK, PREFIX, SITES, TICK, cache_script, has_uncommitted
from apps.core.web.public_cache.answers import MOST_BYTES, StoredResponse

# Room for a minute of URLs, counted separately with and without a query, so that invented queries displace no pages.
MOST_BYTES_A_MINUTE = 64 * 2**20
# Shortly before a response expires, one request renews it while others still get it.
_EARLY_MILLISECONDS = 1500

# KEYS: clock, answer. ARGV: encoding, milliseconds before the end, prefix of generations. Returns the clock and the
# generation of sites. For a valid answer also the head, a body, and whether that is encoded.
_FIND = (
    TICK
    + """
local sites = redis.call('GET', ARGV[3] .. 'sites')
if not sites then
  sites = tick()
  redis.call('SET', ARGV[3] .. 'sites', sites, 'EX', 3600)
end
local now = redis.call('GET', KEYS[1]) or tick()
local stored = redis.call('HMGET', KEYS[2], 'began', 'names', 'head', ARGV[1])
if not stored[1] then return {now, sites} end
local began = tonumber(stored[1])
for name in string.gmatch(stored[2], '%S+') do
  local number = redis.call('GET', ARGV[3] .. name)
  if number and tonumber(number) > began then return {now, sites} end
end
if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[2]) then
  if redis.call('SET', KEYS[2] .. ':early', 1, 'NX', 'PX', ARGV[2]) then return {now, sites} end
end
if stored[4] then return {now, sites, stored[3], stored[4], 1} end
return {now, sites, stored[3], redis.call('HGET', KEYS[2], 'identity'), 0}
"""
)
# KEYS: answer, room. ARGV: seconds, room of a minute, bytes, began, names, head, body.
_PUT = """
local used = redis.call('INCRBY', KEYS[2], ARGV[3])
if used == tonumber(ARGV[3]) then redis.call('EXPIRE', KEYS[2], 60) end
if used > tonumber(ARGV[2]) then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'began', ARGV[4], 'names', ARGV[5], 'head', ARGV[6], 'identity', ARGV[7])
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
"""
# KEYS: answer. ARGV: head, encoding, body. Another answer may have replaced it.
_ADD = "if redis.call('HGET', KEYS[1], 'head') == ARGV[1] then redis.call('HSET', KEYS[1], ARGV[2], ARGV[3]) end"


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the cache has for a key: the clock, and an answer with its body, which may still need encoding."""

    now: bytes
    stored: StoredResponse | None = None
    body: bytes = b""
    is_encoded: bool = False


def find(key: str, encoding: str) -> Lookup | None:
    """Return a valid answer, or the clock to begin one at. None if nothing can be cached."""
    if has_uncommitted():
        return None
    args: list[bytes | str | int] = [encoding, _EARLY_MILLISECONDS, PREFIX]
    result = generations.breaker.call(lambda: cache_script(_FIND)(keys=[CLOCK, key], args=args))
    if result is None:
        return None
    # What a process keeps of sites must not be older than the answer that begins now.
    generations.saw(SITES, result[1].decode())
    if len(result) == 2:
        return Lookup(result[0])
    now, _, head, body, is_encoded = result
    return Lookup(now, StoredResponse.load(head), body, bool(is_encoded))


def put(
    key: str, stored: StoredResponse, body: bytes, *, began: bytes, names: list[str], seconds: int, room: str
) -> None:
    """Store an answer that was begun at this clock value."""
    if len(body) > MOST_BYTES or has_uncommitted():
        return
    head = stored.dump()
    args: list[bytes | str | int] = [
        seconds,
        MOST_BYTES_A_MINUTE,
        len(body) + len(head),
        began,
        " ".join(names),
        head,
        body,
    ]
    generations.breaker.call(lambda: cache_script(_PUT)(keys=[key, f"page:room:{room}"], args=args))


def add(key: str, stored: StoredResponse, encoding: str, body: bytes) -> None:
    """Store one more encoding of a cached answer."""
    generations.breaker.call(lambda: cache_script(_ADD)(keys=[key], args=[stored.dump(), encoding, body]))
