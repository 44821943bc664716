"""Structured data about a site and where its pages belong."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.urls import reverse

from apps.core.web.page_numbers import PageObject, page_path
from apps.sites.models import Site
from apps.sites.seo.json_ld import Data, breadcrumbs, item_list, organization, web_page, web_site


def site_data(site: Site) -> Data:
    """Describe the site and its search."""
    return web_site(
        name=site.name,
        url=site.url("/"),
        description=site.tagline,
        search_url=f"{site.url(reverse('search'))}?q=",
    )


def publisher_of(site: Site) -> Data:
    """Return the publisher of the site's content."""
    return organization(name=site.name, url=site.url("/"))


def page_data(site: Site, *, name: str, path: str, kind: str = "WebPage", **facts: Any) -> Data:
    """Describe a page. `kind` is WebPage or a schema.org subtype, and `facts` are its properties."""
    return web_page(name=name, url=site.url(path), site_url=site.url("/"), kind=kind, **facts)


def crumbs(site: Site, *steps: tuple[str, str]) -> Data:
    """Describe the steps from the front page to a page, each with name and path."""
    return breadcrumbs([(site.name, site.url("/")), *((name, site.url(path)) for name, path in steps)])


def list_page(
    site: Site,
    *,
    name: str,
    path: str,
    entries: Iterable[tuple[int, str, str]],
    above: Sequence[tuple[str, str]] = (),
    is_ranked: bool = False,
) -> list[Data]:
    """Describe a page that lists others by position, name and path. `above` are the steps that lead to it."""
    result = [(place, title, site.url(there)) for place, title, there in entries]
    listed = item_list(result, name=name, url=site.url(path), is_ranked=is_ranked)
    page = page_data(site, name=name, path=path, kind="CollectionPage", mainEntity=listed)
    return [page, crumbs(site, *above, (name, path))]


def paged_list(site: Site, page: PageObject, *, name: str, path: str, entries: Iterable[tuple[str, str]]) -> Data:
    """Return the context of a page of a list: its pager, canonical URL and description. Entries are name and path."""
    here = page_path(path, page)
    numbered = [(place, *entry) for place, entry in enumerate(entries, start=page.first_row + 1)]
    return {
        "page_obj": page,
        "canonical_url": site.url(here),
        "structured_data": list_page(site, name=name, path=here, entries=numbered),
    }
