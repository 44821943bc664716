"""A site's sitemap: an index of sections, each filled by another app."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from typing import Any
from urllib.parse import urlsplit

from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps import views as sitemap_views
from django.core.paginator import EmptyPage, Page, Paginator
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from apps.core.app_modules import app_modules
from apps.core.stores.postgresql.statements import Statement, compiled
from apps.core.web.pages import expensive_page
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
        """Return all pages of the section. Large sections are a `BlockSection` instead."""
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

    def changed_since(self, moment: datetime) -> list[str]:
        """Return the paths of pages that changed since then."""
        return [one.path for one in self._addresses if one.changed_at and one.changed_at >= moment]

    def get_protocol(self, protocol: str | None = None) -> str:
        """Use the site's own scheme, not the request's."""
        return urlsplit(self.site.base_url).scheme

    def get_domain(self, site: object = None) -> str:
        """Use the site's canonical host."""
        return urlsplit(self.site.base_url).netloc


class BlockSection(Section, ABC):
    """A section with a page for each of many rows, after the page that lists them, if there is one.

    Its pages are blocks of ids, which are found without counting rows.
    """

    # The URL name of the list.
    list_route = ""

    @abstractmethod
    def rows(self) -> QuerySet[Any]:
        """Return the rows, annotated with what `address_of` needs and with `changed_at`."""

    @abstractmethod
    def address_of(self, row: Any) -> Address:
        """Return the page of a row."""

    @abstractmethod
    def changed_at(self) -> datetime | None:
        """Return the last change of any row, None without rows. Reads only the newest entries of indexes."""

    @cached_property
    def paginator(self) -> "IdBlocks":
        return IdBlocks(self)

    def changed_since(self, moment: datetime) -> list[str]:
        latest = self.changed_at()
        lists = [reverse(self.list_route)] if self.list_route and latest and latest >= moment else []
        rows = self.rows().filter(changed_at__gte=moment).order_by("-changed_at")
        return [*lists, *(self.address_of(row).path for row in rows[: self.limit])]

    def get_latest_lastmod(self) -> datetime | None:
        return self.changed_at()


class IdBlocks(Paginator[Address]):
    """Split the rows of a section into blocks of `per_page` ids. Empty blocks are not pages."""

    def __init__(self, section: BlockSection) -> None:
        super().__init__([], section.limit)
        self._section = section

    @cached_property
    def blocks(self) -> list[int]:
        """The numbers of the blocks that contain rows. One query, which jumps from block to block."""
        least = RawSQL("(block.number + 1) * %s", [self.per_page])
        following = compiled(self._section.rows().filter(pk__gte=least).order_by("pk").values("pk")[:1], prefix="row_")
        rows = Statement(_BLOCKS_SQL.format(following=following.sql), following.constants).run({"size": self.per_page})
        return [number for (number,) in rows]

    @cached_property
    def count(self) -> int:
        """An upper bound of the number of rows."""
        return max(len(self.blocks), bool(self._section.list_route)) * self.per_page

    def page(self, number: int | str) -> Page[Address]:
        """Return the pages of a block. Raises InvalidPage if there is no such block."""
        number = self.validate_number(number)
        if not self.count:
            raise EmptyPage
        section, result = self._section, list[Address]()
        if number == 1 and section.list_route:
            result.append(Address(reverse(section.list_route), section.changed_at()))
        for block in self.blocks[number - 1 : number]:
            first = block * self.per_page
            rows = section.rows().filter(pk__gte=first, pk__lt=first + self.per_page).order_by("pk")
            result += [section.address_of(row) for row in rows]
        return Page(result, number, self)


_BLOCKS_SQL = """
    WITH RECURSIVE block AS (
        SELECT -1::bigint AS number
        UNION ALL
        SELECT following.id / %(size)s FROM block CROSS JOIN LATERAL ({following}) following(id)
    )
    SELECT number FROM block WHERE number >= 0 ORDER BY number"""


@cache
def sections() -> dict[str, type[Section]]:
    """Return the sections by name, from each app's `sitemaps.py`."""
    return {name: section for module in app_modules("sitemaps") for name, section in module.SECTIONS.items()}


@expensive_page
@require_safe
@conditional_page
@cache_control(public=True, max_age=MAX_AGE_SECONDS)
def sitemap_index(request: SiteHttpRequest) -> HttpResponseBase:
    """List the site's non-empty sections, page by page, each with its last change."""
    result = []
    for name, section in sections().items():
        bound = section(request.site)
        pages = bound.paginator
        if not pages.count:
            continue
        address = request.site.url(reverse("sitemap_section", args=[name]))
        changed_at = bound.get_latest_lastmod()
        for number in pages.page_range:
            result.append({"location": f"{address}?p={number}" if number > 1 else address, "last_mod": changed_at})
    return TemplateResponse(request, "sitemap_index.xml", {"sitemaps": result}, content_type="application/xml")


@expensive_page
@require_safe
@conditional_page
@cache_control(public=True, max_age=MAX_AGE_SECONDS)
def sitemap_section(request: SiteHttpRequest, section: str) -> HttpResponse:
    """Serve a section, or a page of it with `?p=`. Empty sections are 404, because the protocol forbids them."""
    kind = sections().get(section)
    bound = kind(request.site) if kind else None
    if bound is None or not bound.paginator.count:
        raise Http404
    response: HttpResponse = sitemap_views.sitemap(request, {section: bound}, section=section)
    return response
