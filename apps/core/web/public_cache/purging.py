"""Tell a CDN which of its cached responses a change ends, by their surrogate keys.

Changes collect their keys in Valkey, and a task sends them. If the CDN doesn't answer, they wait for the next run.
"""

import asyncio
import logging
from collections.abc import Iterable
from typing import Any

import httpx2
from django.conf import settings
from django.utils.crypto import salted_hmac

from apps.core.delay_on_commit import delay_on_commit
from apps.core.stores.valkey import generations
from apps.core.stores.valkey.generations import EVERYTHING, LISTS, SITES, cache_client

logger = logging.getLogger(__name__)

# Every public response has it.
ALL = "all"
# Some CDNs take no more keys in a request.
_BATCH = 30
_WAITING = "purge:waiting"
# Set while a task is queued. It ends, in case the message is lost.
_QUEUED, _QUEUED_SECONDS = "purge:queued", 30
_DEADLINE_SECONDS = 10.0


def surrogate_keys(names: Iterable[str]) -> list[str]:
    """Return the keys of generations as CDNs see them. The numbers of accounts and companies stay private."""
    return sorted({_key(name) for name in names})


def follow_changes() -> None:
    """Collect the surrogate keys of every change."""
    if _collect not in generations.after_change:
        generations.after_change.append(_collect)


def purge_waiting() -> int:
    """Send the waiting keys to PURGE_URL. Returns how many. Safe to repeat and to run in several workers."""
    if not settings.PURGE_URL:
        return 0
    client, sent = cache_client(), 0
    # First, so that a change from now on queues another task.
    client.delete(_QUEUED)
    while keys := _take():
        # Everything includes the others.
        if not asyncio.run(_send([ALL] if ALL in keys else keys)):
            client.sadd(_WAITING, *keys)
            break
        sent += len(keys)
    return sent


def _key(name: str) -> str:
    if name in {EVERYTHING, SITES}:
        return ALL
    if name.startswith(("site:", "listing:")) or name == LISTS:
        return name.replace(":", "-")
    return f"part-{salted_hmac('surrogate key', name).hexdigest()[:12]}"


def _collect(names: Iterable[str]) -> None:
    keys = surrogate_keys(names)
    is_first = generations.breaker.call(lambda: _add(keys))
    if is_first:
        delay_on_commit("apps.core.tasks.purge_caches")


def _add(keys: Iterable[str]) -> bool:
    client = cache_client()
    client.sadd(_WAITING, *keys)
    return bool(client.set(_QUEUED, 1, nx=True, ex=_QUEUED_SECONDS))


def _take() -> list[str]:
    """Return up to a batch of waiting keys, which no other worker gets."""
    result: Any = cache_client().spop(_WAITING, _BATCH)
    return [key.decode() for key in result]


async def _send(keys: list[str]) -> bool:
    """Send one batch. Fastly and Varnish read the header, Cloudflare the body."""
    name, _, value = settings.PURGE_HEADER.partition(":")
    headers = {"Surrogate-Key": " ".join(keys)} | ({name.strip(): value.strip()} if value else {})
    try:
        async with asyncio.timeout(_DEADLINE_SECONDS), httpx2.AsyncClient(trust_env=False) as client:
            response = await client.request(
                settings.PURGE_METHOD, settings.PURGE_URL, headers=headers, json={"tags": keys}, follow_redirects=False
            )
    except (httpx2.HTTPError, TimeoutError) as error:
        logger.warning("the CDN didn't answer a purge", extra={"error": repr(error)[:200], "keys": len(keys)})
        return False
    if response.status_code >= 300:
        logger.warning("the CDN refused a purge", extra={"status": response.status_code, "keys": len(keys)})
    return response.status_code < 300
