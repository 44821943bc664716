"""Find a request's site by its host name."""

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from apps.core.api.problems import problem, problem_response
from apps.core.stores.valkey import generations
from apps.core.web.public_cache import belongs_to
from apps.sites.models import Site

MOST_HOSTS = 1_000


@dataclass(frozen=True, slots=True)
class _CachedSite:
    site: Site
    generation: str
    until: float


# Sites by host. They save uncached requests the query for their site.
_site_cache: dict[str, _CachedSite] = {}


class CurrentSiteMiddleware:
    """Set `request.site`. It is looked up on first use, so that health checks need no database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            request.get_host()
        except DisallowedHost:
            # Answered here, because an error page would look up this host's site again.
            return problem_response(problem(400, "This host is not served here.", instance=request.path))
        request.site = SimpleLazyObject(lambda: _site_for(request))  # type: ignore[assignment]
        return self.get_response(request)


def _site_for(request: HttpRequest) -> Site:
    site = site_of(request)
    belongs_to(request, generations.site_name(site.pk))
    return site


def site_of(request: HttpRequest) -> Site:
    """Return the site for the request's host name, without its port.

    Each process caches its sites until one changes. While Valkey is down, they are read from the database.
    """
    host = request.get_host().rsplit(":", 1)[0].strip("[]").lower()
    generation = generations.recent(generations.SITES)
    known = _site_cache.get(host)
    if known is None or known.generation != generation or known.until < time.monotonic():
        site: Site = Site.objects.for_host(host)
        if generation is None:
            return site
        if len(_site_cache) >= MOST_HOSTS:
            _site_cache.clear()
        known = _site_cache[host] = _CachedSite(site, generation, time.monotonic() + generations.MOST_SECONDS)
    # Each request gets a copy, so that changes to it don't reach other requests.
    return copy.copy(known.site)
