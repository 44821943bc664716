"""The version history of a listing for its owner, and restoring an old version."""

from collections.abc import Iterable
from functools import cached_property
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.accounts.models import User
from apps.core.text.dates import moment_text
from apps.core.versions.authorship import authorship_of
from apps.core.versions.differences import Change, Difference
from apps.core.versions.pages import Entry, Part, Restoring, restore_page
from apps.core.web.page_numbers import page_object, page_rows
from apps.listings.fields.differences import difference
from apps.listings.fields.labels import label_of
from apps.listings.history import changes_by_restoring, changes_shown, list_versions, snapshot_of
from apps.listings.models import Category, Listing, ListingVersion
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.listings.services.editing import restore_version
from apps.listings.services.pictures.rows import FIELDS as PICTURE_FIELDS
from apps.sites.requests import SiteHttpRequest

PER_PAGE = 20


@login_required
@require_safe
def history(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """List every edit of the listing and its company, newest first: who, how, when, and what changed."""
    listing = own_listing(request, slug)
    versions = list_versions(listing)
    page = page_object(request, total=versions.count(), per_page=PER_PAGE)
    reading = _Reading(listing, reader=account_of(request))
    rows = page_rows(versions.select_related("restored_from"), page)
    context = {
        "listing": head(listing, current="listing_history"),
        # The versions of one call are one entry.
        "versions": [reading.entry(list(edit)) for _, edit in groupby(rows, key=lambda row: row.edit_id)],
        "page_obj": page,
        "story_history_url": reverse("story_history", args=[slug]),
    }
    return render(request, "listings/owner/history.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: SiteHttpRequest, slug: str, version_id: int) -> HttpResponse:
    """Show what restoring a version would change. The form on the page restores it as a new version."""
    listing = own_listing(request, slug)
    if not is_open(listing, "edit_listing"):
        return to_overview(listing)
    versions = list_versions(listing)
    version = get_object_or_404(versions, pk=version_id)
    reading = _Reading(listing, reader=account_of(request))
    restoring = Restoring(
        version=version,
        differences=reading.differences(reading.changes_by_restoring(version)),
        newest=versions.values_list("pk", flat=True).first(),
        history_url=reverse("listing_history", args=[slug]),
        label_of=label_of,
    )
    context = {"listing": head(listing, current="listing_history"), "is_shared": version.listing_id is None}
    return restore_page(
        request,
        restoring,
        restore=lambda: _restore(request, slug, version),
        template="listings/owner/restore.html",
        context=context,
    )


def _restore(request: SiteHttpRequest, slug: str, version: ListingVersion) -> HttpResponse:
    if restore_version(version=version, by=actor_of(request)):
        messages.success(request, f"Restored the version from {moment_text(version.created_at)}")
    return redirect("listing_history", slug=slug)


class _Reading:
    """A listing's versions for its owner, with the current listing and company."""

    def __init__(self, listing: Listing, *, reader: User) -> None:
        self.listing, self.reader = listing, reader
        self.titles = dict(Category.objects.filter(site=listing.site).values_list("slug", "name"))
        self.is_open = is_open(listing, "edit_listing")
        self.texts, self.facts = snapshot_of(listing), snapshot_of(listing.company)

    def entry(self, versions: list[ListingVersion]) -> Entry:
        first = versions[0]
        restored = next((version.restored_from for version in versions if version.restored_from), None)
        return Entry(
            author=authorship_of(first, reader=self.reader),
            created_at=first.created_at,
            restored_at=restored.created_at if restored else None,
            parts=[self._part(version) for version in versions],
        )

    def changes_by_restoring(self, version: ListingVersion) -> list[Change]:
        now = self.facts if version.listing_id is None else self.texts
        return changes_by_restoring(version, now=now, categories=self.titles)

    def differences(self, changes: Iterable[Change]) -> list[Difference]:
        return [self._difference(**change) for change in changes]

    def _difference(self, field: str, before: Any, after: Any) -> Difference:
        images = self._images.get(field) if field in PICTURE_FIELDS else None
        return difference(field, before, after, titles=self.titles, images=images)

    @cached_property
    def _images(self) -> dict[str, dict[str, str]]:
        """The path of each stored picture by field and URL."""
        images: dict[str, dict[str, str]] = {field: {} for field in PICTURE_FIELDS}
        for picture in self.listing.company.pictures.exclude(key=""):
            images[picture.field][picture.url] = picture.thumb_path
        return images

    def _part(self, version: ListingVersion) -> Part:
        is_shared = version.listing_id is None
        can_restore = self.is_open and self.changes_by_restoring(version)
        address = reverse("restore_listing", args=[self.listing.slug, version.pk])
        return Part(
            differences=self.differences(changes_shown(version, owner=self.reader)),
            label="All sites" if is_shared else "This site",
            unchanged=f"The {'company’s facts' if is_shared else 'listing'} when the history starts.",
            restore_url=address if can_restore else "",
        )
