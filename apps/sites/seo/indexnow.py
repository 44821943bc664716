"""Tell search engines about changed pages by IndexNow."""

import asyncio
import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import httpx2
from django.conf import settings
from django.urls import reverse

from apps.sites.models import Site
from apps.sites.seo.sitemaps import sections

logger = logging.getLogger(__name__)

# The protocol's limit is 10,000.
MAX_ADDRESSES = 1_000
_DEADLINE_SECONDS = 15.0


def submit_changed_pages(*, since: datetime) -> int:
    """Send each site's public pages that changed since then. Returns how many were sent.

    Does nothing without INDEXNOW_KEY. A failure is logged: engines find the pages in the sitemap, too.
    """
    if not settings.INDEXNOW_KEY:
        return 0
    sent = 0
    for site in Site.objects.order_by("pk"):
        addresses = changed_pages(site, since=since)
        if addresses and _send(site, addresses):
            sent += len(addresses)
    return sent


def changed_pages(site: Site, *, since: datetime) -> list[str]:
    """Return the addresses in a site's sitemap that changed since then, at most 1,000."""
    result = [site.url(path) for section in sections().values() for path in section(site).changed_since(since)]
    return result[:MAX_ADDRESSES]


def _send(site: Site, addresses: Iterable[str]) -> bool:
    body = {
        "host": site.host,
        "key": settings.INDEXNOW_KEY,
        "keyLocation": site.url(reverse("indexnow_key")),
        "urlList": list(addresses),
    }
    try:
        status = asyncio.run(_post(body))
    except (httpx2.HTTPError, TimeoutError) as error:
        logger.warning("IndexNow didn't respond", extra={"site": site.key, "error": repr(error)[:200]})
        return False
    if status not in {200, 202}:
        logger.warning("IndexNow rejected the URLs", extra={"site": site.key, "status": status})
    return status in {200, 202}


async def _post(body: dict[str, Any]) -> int:
    async with asyncio.timeout(_DEADLINE_SECONDS), httpx2.AsyncClient(trust_env=False) as client:
        response = await client.post(settings.INDEXNOW_URL, json=body, follow_redirects=False)
        return int(response.status_code)
