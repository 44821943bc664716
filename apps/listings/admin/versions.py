"""The version history: what each edit changed, and restoring an earlier version."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string

from apps.accounts.actors import actor_of
from apps.core.admin.base import ModelAdmin
from apps.core.admin.decisions import Decision
from apps.core.errors import Conflict
from apps.core.versions.admin import RestoresVersions
from apps.core.versions.differences import Difference
from apps.listings.fields.differences import difference
from apps.listings.fields.labels import label_of
from apps.listings.models import Category, ListingVersion
from apps.listings.services import editing


def _restore(version: ListingVersion, values: Mapping[str, Any], request: HttpRequest) -> object:
    restored = editing.restore_version(version=version, by=actor_of(request, via="admin"))
    if restored is None:
        raise Conflict("Nothing to change: every value is already set.", code="nothing_to_restore")
    return restored


RESTORE = Decision(
    title="Restore this version",
    explanation=[
        "Restores the texts and facts of this version immediately.",
        "The current version stays in the history. Status, plan, launch week, votes and milestones don't change.",
    ],
    done="Versions restored",
    decide=_restore,
)


@admin.register(ListingVersion)
class ListingVersionAdmin(RestoresVersions, ModelAdmin):
    list_display = ("created_at", "about", "changed", "author", "way")
    list_filter = ("via", "listing__site", "created_at")
    search_fields = ("company__name", "company__website_key", "author__email", "credential", "listing__slug")
    list_select_related = ("company", "listing__company", "listing__site", "author")
    date_hierarchy = "created_at"
    fields = ("about", "created_at", "author", "way", "restored_from", "what_changed", "then")
    readonly_fields = fields
    restoring = RESTORE
    restore_permissions = ("listings.change_listing", "listings.change_company")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ListingVersion]:
        result: QuerySet[ListingVersion] = super().get_queryset(request)
        return result.select_related("company", "listing__company", "listing__site", "author", "restored_from")

    @admin.display(description="of")
    def about(self, version: ListingVersion) -> str:
        return str(version.listing) if version.listing else f"{version.company}, company facts"

    def label_of(self, field: str) -> str:
        return label_of(field)

    def differences(self, version: ListingVersion) -> list[Difference]:
        titles = _category_names(version)
        return [
            difference(change["field"], change["before"], change["after"], titles=titles) for change in version.changes
        ]

    @admin.display(description="complete version")
    def then(self, version: ListingVersion) -> str:
        titles = _category_names(version)
        filled = {name: value for name, value in version.snapshot.items() if value not in (None, "", [], {})}
        values = [difference(name, None, value, titles=titles) for name, value in filled.items()]
        return render_to_string("admin/parts/differences.html", {"differences": values, "is_plain": True})


def _category_names(version: ListingVersion) -> dict[str, str]:
    if version.listing is None:
        return {}
    return dict(Category.objects.filter(site=version.listing.site_id).values_list("slug", "name"))
