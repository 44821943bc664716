"""Two listings side by side: their facts, each with its source."""

import re
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from apps.core.stores.valkey.generations import company_name, listing_name
from apps.core.text.dates import week_and_year
from apps.core.web.public_cache import belongs_to
from apps.launches.listing_page.facts import FactRow, all_resources, all_rows
from apps.launches.listing_page.related import VERSUS, compare_path, names
from apps.launches.listing_page.sources import Source, sources_of
from apps.listings.models import Listing
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import list_page


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One listing's value in a row. Without sources, its owner states it."""

    value: str
    href: str
    sources: list[Source]


@require_safe
def compare(request: SiteHttpRequest, pair: str) -> HttpResponse:
    """Compare two live listings, whose slugs are `pair`. The other order redirects.

    Only pairs that name each other as alternatives are for search engines, because any two can be compared.
    """
    two = _listings(request.site, pair)
    path = compare_path(*(listing.slug for listing in two))
    if request.path != path:
        return redirect(path, permanent=True)
    for listing in two:
        belongs_to(request, listing_name(listing.pk), company_name(listing.company_id))
    one, other = two
    title = f"{one.company.name} vs {other.company.name}"
    description = f"Compare {one.company.name} and {other.company.name}: pricing, platforms and more, with sources."
    entries = [(place, listing.company.name, listing.path) for place, listing in enumerate(two, start=1)]
    context = {
        "title": title,
        "description": description,
        "listings": [_head(listing) for listing in two],
        "rows": _rows(*two),
        "canonical_url": request.site.url(path),
        "noindex": not (names(one, other) and names(other, one)),
        "social": {"title": title, "description": description},
        "structured_data": list_page(request.site, name=title, path=path, entries=entries),
    }
    return render(request, "directory/compare.html", context)


def _listings(site: Site, pair: str) -> tuple[Listing, Listing]:
    """Return the live listings of two slugs, which may contain the separator themselves. Merged ones are the kept ones.

    Splits in the order of the alphabet come first, so that the canonical address never redirects.
    """
    # Separators may overlap, as in `a-vs-vs-b`.
    places = [result.start() for result in re.finditer(f"(?={VERSUS})", pair)]
    splits = [(pair[:place], pair[place + len(VERSUS) :]) for place in places]
    live = Q(status=Listing.Status.LIVE) | Q(merged_into__status=Listing.Status.LIVE)
    slugs = {slug for split in splits for slug in split}
    kept = {
        slug: merged_into or pk
        for slug, merged_into, pk in Listing.objects.filter(live, site=site, slug__in=slugs).values_list(
            "slug", "merged_into", "pk"
        )
    }
    for one, other in sorted(splits, key=lambda split: split[0] > split[1]):
        if one in kept and other in kept and kept[one] != kept[other]:
            result = _to_compare().in_bulk([kept[one], kept[other]])
            if len(result) == 2:
                first, second = sorted(result.values(), key=lambda listing: listing.slug)
                return first, second
    raise Http404


def _to_compare() -> Any:
    return Listing.objects.public().with_details().select_related("evidence").prefetch_related("milestones")


def _head(listing: Listing) -> dict[str, Any]:
    return {
        "name": listing.company.name,
        "slug": listing.slug,
        "logo_key": listing.company.logo_key,
        "headline": listing.headline,
        "page_url": listing.path,
        "votes": listing.current_votes,
        "week": week_and_year(listing.week),
    }


def _rows(*two: Listing) -> list[tuple[str, list[Cell]]]:
    """Return the rows in which one of the listings has a value."""
    columns = [_column(listing) for listing in two]
    rows = [(row[0].label, [_cell(fact) for fact in row]) for row in zip(*columns, strict=True)]
    return [(label, cells) for label, cells in rows if any(cell.value for cell in cells)]


def _column(listing: Listing) -> list[FactRow]:
    sources = sources_of(listing)
    categories = [category.name for category in listing.categories.all()]
    return [
        FactRow("Summary", listing.summary, sources=sources.by_field.get("summary", [])),
        *all_rows(listing.company, sources),
        FactRow("Categories", ", ".join(categories), sources=sources.by_field.get("categories", [])),
        FactRow("Tags", ", ".join(listing.tags)),
        *all_resources(listing.company, sources),
    ]


def _cell(fact: FactRow) -> Cell:
    """Return a fact with each of its pages once."""
    pages = {source.href or source.place: source for source in fact.sources}
    return Cell(value=fact.value, href=fact.href, sources=list(pages.values()))
