"""A site's sitemap: an index of sections, each filled by another app."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps import views as sitemap_views
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from apps.core.web.expensive_pages import expensive_page
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest

MAX_AGE_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Address:
    """A page and the time of its last change, None if unknown."""

    path: str
    changed_at: datetime | None = None


class Section(Sitemap[Any]):
    """A section of a site's sitemap, by default made from `addresses`."""

    # The protocol allows fifty times as many. This number is written in under a tenth of a second.
    limit = 1_000

    def __init__(self, site: Site) -> None:
        self.site = site

    def addresses(self) -> list[Address]:
        """Return all pages of the section. Large sections override `items`, `location` and `lastmod` instead."""
        raise NotImplementedError

    @cached_property
    def _addresses(self) -> list[Address]:
        return self.addresses()

    def items(self) -> Any:
        return self._addresses

    def location(self, item: Any) -> str:
        path: str = item.path
        return path

    def lastmod(self, item: Any) -> datetime | None:
        changed_at: datetime | None = item.changed_at
        return changed_at

    def get_protocol(self, protocol: str | None = None) -> str:
        """Use the site's own scheme, not the request's."""
        return urlsplit(self.site.base_url).scheme

    def get_domain(self, site: object = None) -> str:
        """Use the site's canonical host."""
        return urlsplit(self.site.base_url).netloc


@expensive_page
@require_safe
@conditional_page
@cache_control(public=True, max_age=MAX_AGE_SECONDS)
def sitemap_index(request: SiteHttpRequest, sections: Mapping[str, type[Section]]) -> HttpResponseBase:
    """List the site's non-empty sections, page by page, each with its last change."""
    found = []
    for name, section in sections.items():
        bound = section(request.site)
        pages = bound.paginator
        if not pages.count:
            continue
        address = request.site.url(reverse("sitemap_section", args=[name]))
        changed_at = bound.get_latest_lastmod()
        for number in pages.page_range:
            found.append({"location": f"{address}?p={number}" if number > 1 else address, "last_mod": changed_at})
    return TemplateResponse(request, "sitemap_index.xml", {"sitemaps": found}, content_type="application/xml")


@expensive_page
@require_safe
@conditional_page
@cache_control(public=True, max_age=MAX_AGE_SECONDS)
def sitemap_section(request: SiteHttpRequest, section: str, sections: Mapping[str, type[Section]]) -> HttpResponse:
    """Serve a section, or a page of it with `?p=`. Empty sections are 404, because the protocol forbids them."""
    if section not in sections:
        raise Http404
    bound = sections[section](request.site)
    if not bound.paginator.count:
        raise Http404
    response: HttpResponse = sitemap_views.sitemap(request, {section: bound}, section=section)
    return response
