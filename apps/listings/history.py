"""The version history: what each edit changed in a company's facts or a listing's texts, by whom and how.

The caller locks the company (`holding.hold`), so that a baseline is written once.
"""

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from django.db.models import Q, QuerySet

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.models import User
from apps.core.versions.authorship import author_shown, credential_shown
from apps.core.versions.differences import Change, changes_between
from apps.listings.fields.names import COMPANY_FIELDS, SITE_FIELDS
from apps.listings.models import Company, Listing, ListingVersion

SHOWN = 20
MAX_TEXT = 300
Snapshot: TypeAlias = dict[str, Any]


def snapshot_of(row: Company | Listing) -> Snapshot:
    """Return the value of every field in the history, with a listing's `categories` as slugs."""
    if isinstance(row, Company):
        return {name: getattr(row, name) for name in sorted(COMPANY_FIELDS)}
    texts = {name: getattr(row, name) for name in sorted(SITE_FIELDS)}
    return {**texts, "categories": [category.slug for category in row.categories.all()]}


def record(
    *,
    row: Company | Listing,
    before: Snapshot,
    by: Actor,
    edit_id: UUID | None = None,
    restored_from: ListingVersion | None = None,
) -> ListingVersion | None:
    """Save a row's changes since the snapshot `before`. None when nothing changed.

    A row without a history gets its former state as its first version. Versions of one call share their `edit_id`.
    """
    changes = changes_between(before, snapshot_of(row))
    if not changes:
        return None
    _keep_baseline(row, before)
    return _add(row, changes=changes, by=by, edit_id=edit_id, restored_from=restored_from)


def record_states(
    *,
    company: Company,
    listing: Listing | None = None,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    by: Actor,
    edit_id: UUID | None = None,
) -> ListingVersion:
    """Save a change that no snapshot has, such as a status or a milestone. Values are JSON or dates."""
    row = listing or company
    _keep_baseline(row, snapshot_of(row))
    return _add(row, changes=changes_between(before, after), by=by, edit_id=edit_id)


def record_baseline(*, row: Company | Listing, by: Actor) -> ListingVersion:
    """Save a new row's first version."""
    return _add(row, changes=[], by=by)


def changes_by_restoring(version: ListingVersion, *, now: Snapshot, categories: Collection[str]) -> list[Change]:
    """Return the changes that restoring a version would make to a row with the given current snapshot."""
    values = restored_values(version, categories=categories)
    changes = changes_between({name: now[name] for name in values}, values)
    return [
        change for change in changes if change["field"] != "categories" or set(change["before"]) != set(change["after"])
    ]


def restored_values(version: ListingVersion, *, categories: Collection[str]) -> Snapshot:
    """Return the fields that restoring a version sets, without slugs that are no longer in `categories`."""
    values = {name: value for name, value in version.snapshot.items() if name in COMPANY_FIELDS | SITE_FIELDS}
    if "categories" in version.snapshot:
        values["categories"] = [slug for slug in version.snapshot["categories"] if slug in categories]
    return values


def list_versions(listing: Listing) -> QuerySet[ListingVersion]:
    """Return the versions of the listing and of its company's facts, newest first, with their authors."""
    own = Q(listing=listing) | Q(company=listing.company_id, listing__isnull=True)
    return ListingVersion.objects.filter(own).select_related("author").order_by("-id")


def shown_versions(listing: Listing) -> list[dict[str, Any]]:
    """Return the newest versions for their owner in one query, with long texts shortened.

    Site admins and former owners are not named, nor are the credentials they used.
    """
    return [shown_version(version, listing) for version in list_versions(listing)[:SHOWN]]


def changes_shown(version: ListingVersion, *, owner: User) -> list[Change]:
    """Return what a version changed for the listing's owner, without the addresses of former owners."""
    return [_unnamed(change, owner) if change["field"] == "owner" else change for change in version.changes]


def _unnamed(change: Change, owner: User) -> Change:
    before, after = ("you" if change[when] == owner.email else "another account" for when in ("before", "after"))
    return {**change, "before": before, "after": after}


def shown_version(version: ListingVersion, listing: Listing) -> dict[str, Any]:
    """Return a version for the listing's owner, with long texts shortened. Needs its author."""
    owner = listing.company.owner
    return {
        "id": version.pk,
        "created_at": version.created_at,
        "author": author_shown(version, owner=owner),
        "via": version.via,
        "credential": credential_shown(version, owner=owner),
        "site": listing.site.key if version.listing_id else None,
        "changes": [
            {**change, "before": _short(change["before"]), "after": _short(change["after"])}
            for change in changes_shown(version, owner=owner)
        ],
        "restored_from": version.restored_from_id,
    }


def _short(value: Any) -> Any:
    """Return the JSON with long texts cut."""
    match value:
        case str():
            return value if len(value) <= MAX_TEXT else f"{value[:MAX_TEXT]}…"
        case list():
            return [_short(inner) for inner in value]
        case dict():
            return {name: _short(inner) for name, inner in value.items()}
    return value


def _keep_baseline(row: Company | Listing, snapshot: Snapshot) -> None:
    if not _own_versions(row).exists():
        _add(row, changes=[], by=SYSTEM, snapshot=snapshot)


def _own_versions(row: Company | Listing) -> QuerySet[ListingVersion]:
    if isinstance(row, Company):
        return ListingVersion.objects.filter(company=row, listing__isnull=True)
    return ListingVersion.objects.filter(listing=row)


def _add(
    row: Company | Listing,
    *,
    changes: list[Change],
    by: Actor,
    edit_id: UUID | None = None,
    snapshot: Snapshot | None = None,
    restored_from: ListingVersion | None = None,
) -> ListingVersion:
    return ListingVersion.keep(
        company_id=row.pk if isinstance(row, Company) else row.company_id,
        listing=None if isinstance(row, Company) else row,
        edit_id=edit_id or uuid4(),
        by=by,
        changes=changes,
        snapshot=snapshot_of(row) if snapshot is None else snapshot,
        restored_from=restored_from,
    )
