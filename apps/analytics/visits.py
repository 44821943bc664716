"""Analyze a request as a visit: whether it counts, by whom, and its source."""

import re
from functools import cache

from crawlerdetect import CrawlerDetect
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.crypto import salted_hmac

from apps.core.request.client_ip import client_network
from apps.core.web.urls import host_of, registrable_domain
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest

# Visits of unknown origin have no source. Those from other pages of the site have this one.
SAME_SITE = "(this site)"
# Longer names identify no browser, and searching them takes time.
_MOST_OF_A_NAME = 400
_CAMPAIGN = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
# The column's length. Longer referrer names count as none.
_SOURCE = re.compile(r"[a-z0-9_][a-z0-9._-]{0,79}")
_PREFETCHES = ("prefetch", "prerender", "preview")


def is_visit(request: SiteHttpRequest, listing: Listing) -> bool:
    """Return whether a visit counts: a live listing, seen by neither its owner nor a site admin."""
    if listing.status != Listing.Status.LIVE or not is_somebodys(request):
        return False
    user = request.user
    return not (user.is_authenticated and (user.is_staff or user.pk == listing.company.owner_id))


def is_somebodys(request: HttpRequest) -> bool:
    """Return whether a person opens the page now, rather than a program or a prefetching browser."""
    return not _is_ahead_of_time(request) and _is_browser(request.headers.get("user-agent", "")[:_MOST_OF_A_NAME])


def is_page_view(request: SiteHttpRequest) -> bool:
    """Return whether a browser opens the page for its reader, not a script or frame."""
    return request.method == "GET" and request.headers.get("sec-fetch-dest", "document") == "document"


def is_from_own_page(request: SiteHttpRequest) -> bool:
    """Return whether a message comes from a page of this site, as far as the browser says."""
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    origin = request.headers.get("origin", "")
    return not origin or host_of(origin) == _own_host(request)


def visitor_of(request: SiteHttpRequest, listing_id: int) -> str:
    """Return an identifier of a listing's visitor that reveals neither IP address nor browser.

    A visitor has a different one for each listing. Valkey adds the day's salt before storing anything.
    """
    agent = request.headers.get("user-agent", "")[:_MOST_OF_A_NAME]
    return salted_hmac(
        "apps.analytics", f"{listing_id}\n{client_network(request)}\n{agent}", algorithm="sha256"
    ).hexdigest()


def source_of(request: SiteHttpRequest) -> str:
    """Return where a visit came from: the campaign in the URL, otherwise the referring site. Empty if unknown."""
    for name in ("utm_source", "ref"):
        if campaign := _campaign(request.GET.get(name, "")):
            return campaign
    host = host_of(request.headers.get("referer", ""))
    if host and host == _own_host(request):
        return SAME_SITE
    return _short(registrable_domain(host) or "")


def _campaign(text: str) -> str:
    """Return a valid campaign name. Anything else, such as an email address, is dropped."""
    name = text.strip().lower().removeprefix("www.")
    if not _CAMPAIGN.fullmatch(name):
        return ""
    return _short((registrable_domain(name) or "") if "." in name else name)


def _short(source: str) -> str:
    return source if _SOURCE.fullmatch(source) else ""


def _is_ahead_of_time(request: HttpRequest) -> bool:
    """Return whether a browser prefetches a page, most of which is never seen."""
    purposes = (request.headers.get(name, "").lower() for name in ("sec-purpose", "purpose", "x-moz", "x-purpose"))
    return any(word in purpose for purpose in purposes for word in _PREFETCHES)


def _is_browser(agent: str) -> bool:
    return bool(agent.strip()) and not _crawlers().is_crawler(agent)


@cache
def _crawlers() -> CrawlerDetect:
    return CrawlerDetect()


def _own_host(request: SiteHttpRequest) -> str:
    return split_domain_port(request.get_host())[0]
