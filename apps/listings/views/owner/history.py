"""The version history of a listing for its owner."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.accounts.requests import account_of
from apps.core.versions.authorship import authorship_of
from apps.core.versions.pages import Entry, Part
from apps.core.web.page_numbers import page_object, page_rows
from apps.listings.fields.differences import difference
from apps.listings.history import changes_shown, versions_of
from apps.listings.models import Category, ListingVersion
from apps.listings.views.owner.access import head, own_listing
from apps.sites.requests import SiteHttpRequest

PER_PAGE = 20


@login_required
@require_safe
def history(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Every edit of the listing and of its company, newest first: who, by what, when, and what changed."""
    listing = own_listing(request, slug)
    versions = versions_of(listing)
    page = page_object(request, total=versions.count(), per_page=PER_PAGE)
    titles = dict(Category.objects.filter(site=listing.site).values_list("slug", "name"))
    rows = page_rows(versions.select_related("restored_from"), page)
    context = {
        "listing": head(listing, current="listing_history"),
        "versions": _entries(rows, reader=account_of(request), titles=titles),
        "page_obj": page,
    }
    return render(request, "listings/owner/history.html", context)


def _entries(rows: Iterable[ListingVersion], *, reader: User, titles: Mapping[str, str]) -> list[Entry]:
    """The versions of one call as one entry."""
    return [_entry(list(versions), reader, titles) for _, versions in groupby(rows, key=lambda row: row.edit_id)]


def _entry(versions: list[ListingVersion], reader: User, titles: Mapping[str, str]) -> Entry:
    first = versions[0]
    restored = next((version.restored_from for version in versions if version.restored_from), None)
    return Entry(
        author=authorship_of(first, reader=reader),
        created_at=first.created_at,
        restored_at=restored.created_at if restored else None,
        parts=[_part(version, reader, titles) for version in versions],
    )


def _part(version: ListingVersion, reader: User, titles: Mapping[str, str]) -> Part:
    is_shared = version.listing_id is None
    return Part(
        differences=[
            difference(change["field"], change["before"], change["after"], titles=titles)
            for change in changes_shown(version, owner=reader)
        ],
        label="All sites" if is_shared else "",
        unchanged=f"The {'company’s facts' if is_shared else 'listing'} as the history begins.",
    )
