"""Edit a listing: its company's facts, its own texts, and the same texts on the company's other sites."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from apps.accounts.actors import Actor
from apps.blocklists.matching import check_texts, words_of
from apps.core.errors import FIELD_REQUIRED, FieldProblem, Unprocessable
from apps.core.stores.valkey.generations import only
from apps.listings import history, search
from apps.listings.emails import notify_team_of_edit
from apps.listings.fields.names import COMPANY_FIELDS, REQUIRED_FIELDS, SITE_FIELDS, TRAVELLING_FIELDS
from apps.listings.models import Category, Company, Listing, ListingVersion
from apps.listings.services.categories import check_categories
from apps.listings.services.locks import (
    LockedCompany,
    NotEditable,
    check_editable,
    check_own,
    lock_company,
    why_not_editable,
)
from apps.listings.services.pictures.rows import FIELDS as PICTURE_FIELDS
from apps.listings.services.pictures.rows import resolved, sync_pictures, without_deleted
from apps.listings.services.website_changes import forget_proofs, move_website, recheck_badges
from apps.listings.websites.identity import is_same_address
from apps.sites.models import Site

ALL_SITES = "all"
NOTHING: Mapping[str, Any] = MappingProxyType({})
# The same for an unknown site and one without a listing, so that it doesn't reveal other people's sites.
NO_LISTING = "This company has no listing on a site with this key."


@dataclass(frozen=True, slots=True)
class SiteChange:
    """The result of `apply_to` on one site. `reason` says why nothing was changed there."""

    site: str
    changed: list[str]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A listing after an edit, the names of the changed fields, and the results on other sites."""

    listing: Listing
    changed: list[str]
    applied: list[SiteChange] = field(default_factory=list)


@transaction.atomic
def update_my_listing(
    *, listing: Listing, fields: Mapping[str, Any] = NOTHING, apply_to: Sequence[str] = (), by: Actor
) -> Edit:
    """Change only `fields`. The change is public immediately, and kept in the version history.

    `fields` are validated values by name: those of COMPANY_FIELDS and SITE_FIELDS, and `categories` as slugs.
    `apply_to` is `["all"]` or keys of sites that also get the TRAVELLING_FIELDS among them. Raises NotEditable,
    WebsiteTaken and WebsiteListed (409), Unprocessable (422) for an emptied name or unknown categories.
    """
    locked = lock_company(listing.company_id)
    own = locked.listing(listing.pk)
    check_editable(own, by)
    _check_fields(own, fields)
    texts = {name: words_of(value) for name, value in fields.items()}
    check_texts(texts, site=own.site, address=by.address)
    writing = _Writing(by=by, edit_id=uuid4())
    company_fields = {name: value for name, value in fields.items() if name in COMPANY_FIELDS}
    writing.company(locked.company, resolved(locked.company, company_fields), site=own.site)
    writing.listing(own, {name: value for name, value in fields.items() if name not in COMPANY_FIELDS})
    changed = writing.changed()
    applied = _apply(locked, own, fields, apply_to, writing)
    writing.finish()
    return Edit(listing=own, changed=changed, applied=applied)


@transaction.atomic
def restore_version(*, version: ListingVersion, by: Actor) -> ListingVersion | None:
    """Restore the company or the listing to a version, as a new version. None if nothing differs.

    Deleted categories are left out. Raises WebsiteTaken or WebsiteListed (409) when another company has the website by
    now, NotEditable (409) for a merged listing, and for an owner what `update_my_listing` does.
    """
    locked = lock_company(version.company_id)
    listing = None if version.listing_id is None else locked.listing(version.listing_id)
    row = listing or locked.company
    _check_restorable(row, by)
    site = listing.site if listing else _site_of(locked)
    categories = Category.objects.filter(site=site).values_list("slug", flat=True)
    values = history.restored_values(version, categories=set(categories))
    if by.via != "admin":
        now = history.snapshot_of(row)
        _check_required({name: value for name, value in values.items() if value != now[name]})
    writing = _Writing(by=by, edit_id=uuid4(), restored_from=version)
    if listing is None:
        writing.company(locked.company, without_deleted(locked.company, values), site=site)
    else:
        writing.listing(listing, values)
    writing.finish()
    return writing.versions[0] if writing.versions else None


@transaction.atomic
def record_admin_edit(*, row: Company | Listing, before: history.Snapshot, by: Actor) -> ListingVersion | None:
    """Record an edit that an admin form has already written. None if it changed no field of the history.

    `before` is `history.snapshot_of` the row in the database before. The caller locked the company first. As after
    every edit, this updates the search index, checks the badges of a moved website, and emails site admins.
    """
    writing = _Writing(by=by, edit_id=uuid4())
    writing.keep(row, before)
    writing.finish()
    if isinstance(row, Company):
        sync_pictures(row)
    return writing.versions[0] if writing.versions else None


@transaction.atomic
def record_admin_addition(*, row: Company | Listing, by: Actor) -> ListingVersion:
    """Record and index a row that an admin form has already added."""
    if isinstance(row, Listing):
        search.index(listing_ids=[row.pk])
    else:
        sync_pictures(row)
    return history.record_baseline(row=row, by=by)


@dataclass(slots=True)
class _Writing:
    """One edit in progress: the rows it writes, its versions, and the follow-up work."""

    by: Actor
    edit_id: UUID
    restored_from: ListingVersion | None = None
    versions: list[ListingVersion] = field(default_factory=list)

    def company(self, company: Company, values: Mapping[str, Any], *, site: Site) -> None:
        """Write facts of a company. `site` is where its website would be claimed."""
        before = history.snapshot_of(company)
        changes = {name: value for name, value in values.items() if before[name] != value}
        if "website" in changes and is_same_address(changes["website"], company.website):
            del changes["website"]
        if "website" in changes:
            move_website(company, changes.pop("website"), site)
        _save(company, changes)
        self.keep(company, before)
        if pictures := PICTURE_FIELDS & values.keys():
            sync_pictures(company, retry=pictures)

    def listing(self, listing: Listing, values: Mapping[str, Any]) -> list[str]:
        """Write texts and categories of a listing, and return the names of changed fields."""
        before = history.snapshot_of(listing)
        changes = {name: value for name, value in values.items() if before[name] != value}
        if (slugs := changes.pop("categories", None)) is not None and set(slugs) != set(before["categories"]):
            with only(listing.generations):
                listing.categories.set(Category.objects.filter(site=listing.site, slug__in=slugs))
            listing.save(update_fields=["updated_at"])
        _save(listing, changes)
        version = self.keep(listing, before)
        return _names(version)

    def keep(self, row: Company | Listing, before: history.Snapshot) -> ListingVersion | None:
        """Record a row's changes since its snapshot."""
        version = history.record(
            row=row, before=before, by=self.by, edit_id=self.edit_id, restored_from=self.restored_from
        )
        if version is not None:
            self.versions.append(version)
        return version

    def changed(self) -> list[str]:
        """The names of the fields that have changed so far."""
        return [name for version in self.versions for name in _names(version)]

    def finish(self) -> None:
        """Update everything that depends on the fields, and email site admins."""
        for version in self.versions:
            if version.listing_id is not None:
                search.index(listing_ids=[version.listing_id])
                continue
            changed = _names(version)
            if "name" in changed:
                search.index(company_id=version.company_id)
            if "website" in changed:
                recheck_badges(company_id=version.company_id)
        forget_proofs(self.versions)
        notify_team_of_edit(self.versions, by=self.by)


def _names(version: ListingVersion | None) -> list[str]:
    return [change["field"] for change in version.changes] if version else []


def _save(row: Company | Listing, values: Mapping[str, Any]) -> None:
    if not values:
        return
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=[*values, "updated_at"])


def _check_fields(listing: Listing, fields: Mapping[str, Any]) -> None:
    if unknown := fields.keys() - COMPANY_FIELDS - SITE_FIELDS - {"categories"}:
        raise TypeError(f"no fields of a listing: {', '.join(sorted(unknown))}")
    _check_required(fields)
    check_categories(listing.site, fields.get("categories", ()))


def _check_required(fields: Mapping[str, Any]) -> None:
    problems = [
        FieldProblem("required", FIELD_REQUIRED, f"/fields/{name}")
        for name in REQUIRED_FIELDS
        if name in fields and not fields[name]
    ]
    if problems:
        raise Unprocessable(f"A listing needs a {problems[0].pointer.rpartition('/')[2]}.", errors=problems)


def _apply(
    locked: LockedCompany, own: Listing, fields: Mapping[str, Any], apply_to: Sequence[str], writing: _Writing
) -> list[SiteChange]:
    """Write the submitted travelling fields to the company's listings on other sites."""
    travelling = {name: value for name, value in fields.items() if name in TRAVELLING_FIELDS}
    others = {listing.site.key: listing for listing in locked.listings.values() if listing.pk != own.pk}
    keys = sorted(others) if ALL_SITES in apply_to else list(dict.fromkeys(apply_to))
    applied = []
    for key in keys:
        other = others.get(key)
        if key == own.site.key:
            applied.append(SiteChange(key, [], "This is the listing's own site. See `changed`."))
        elif other is None:
            applied.append(SiteChange(key, [], NO_LISTING))
        elif not travelling:
            names = ", ".join(sorted(TRAVELLING_FIELDS))
            applied.append(SiteChange(key, [], f"Nothing to copy. Only these fields are copied: {names}."))
        elif reason := why_not_editable(other):
            applied.append(SiteChange(key, [], reason))
        else:
            changed = writing.listing(other, travelling)
            applied.append(SiteChange(key, changed, "" if changed else "Already up to date."))
    return applied


def _site_of(locked: LockedCompany) -> Site:
    """Return a site that lists the company, or the default one if none does yet."""
    listed: Site | None = next((listing.site for listing in locked.listings.values()), None)
    return listed or Site.objects.get(is_default=True)


def _check_restorable(row: Company | Listing, by: Actor) -> None:
    if by.via != "admin":
        if isinstance(row, Listing):
            check_editable(row, by)
        else:
            check_own(row, by)
    if row.merged_into_id is not None:
        what = "listing" if isinstance(row, Listing) else "company"
        raise NotEditable(f"The {what} was merged into another one.")
