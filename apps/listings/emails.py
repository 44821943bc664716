"""Emails about listings to their owners and to site admins, through the outbox."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from apps.accounts.actors import Actor
from apps.accounts.models import NotificationKind, User
from apps.accounts.notifications.services import put_optional
from apps.core.email import outbox
from apps.core.email.outbox import Email
from apps.core.email.text import Words, render_words
from apps.core.versions.authorship import way_for_team
from apps.listings.models import Company, Listing, ListingVersion
from apps.sites.models import Site

MAX_VALUE = 2000


def notify_team_of_edit(versions: Sequence[ListingVersion], *, by: Actor) -> None:
    """Email the admins of each site that an edit touched, once per site and edit. `versions` belong to one edit.

    Edits of company facts go to the admins of all sites that list the company.
    """
    if not versions:
        return
    listings = list(
        Listing.objects.filter(company=versions[0].company_id).select_related("site", "company").order_by("pk")
    )
    touched = {version.listing_id for version in versions}
    teams: dict[str, list[Listing]] = {}
    for listing in listings:
        if None in touched or listing.pk in touched:
            teams.setdefault(listing.site.team_email, []).append(listing)
    for theirs in teams.values():
        _notify(theirs, versions, by)


def _notify(listings: list[Listing], versions: Sequence[ListingVersion], by: Actor) -> None:
    """Email one site's admins, in the name of the site whose texts changed, if one of them did."""
    changed = {version.listing_id for version in versions}
    main = next((listing for listing in listings if listing.pk in changed), listings[0])
    own = {listing.pk: listing for listing in listings}
    parts = [
        _part(version, own.get(version.listing_id or 0), main)
        for version in versions
        if version.listing_id is None or version.listing_id in own
    ]
    context = {
        "name": main.company.name,
        "site": main.site,
        "who": str(by.user) if by.user else "The service",
        "way": way_for_team(by),
        "is_restored": versions[0].restored_from_id is not None,
        "parts": parts,
    }
    notify_team(
        site=main.site,
        key=f"edit-{versions[0].edit_id}",
        words=render_words("listings/emails/edit", context),
    )


def _part(version: ListingVersion, listing: Listing | None, main: Listing) -> dict[str, Any]:
    about = listing or main
    row: Company | Listing = listing or main.company
    return {
        "title": f"On {listing.site}" if listing else "Facts of the company, on all sites",
        "page_url": about.page_url,
        "admin_url": about.site.url(reverse(f"admin:listings_{row._meta.model_name}_change", args=[row.pk])),
        "changes": [
            {"field": change["field"], "before": _quoted(change["before"]), "after": _quoted(change["after"])}
            for change in version.changes
        ],
    }


def _quoted(value: Any) -> str:
    """Quote a value line by line, so that an owner's text can't pass for a line of the email."""
    text = _text(value)
    if len(text) > MAX_VALUE:
        text = f"{text[:MAX_VALUE]}… (the admin shows all of it)"
    return "\n".join(f"> {line}" for line in text.splitlines() or ["(empty)"])


def _text(value: Any) -> str:
    if value in (None, "", [], {}):
        return "(empty)"
    match value:
        case Mapping():
            return "\n".join(f"{name}: {_text(inner)}" for name, inner in value.items())
        case list():
            return "\n".join(_text(inner) for inner in value)
    return str(value)


def notify_owner(*, listing: Listing, key: str, words: Words) -> None:
    """Email the listing's owner in the name of its site, once per `key` and listing.

    `key` names the occasion, such as `badge-lost-2026-W46`. A closed account gets nothing.
    """
    owner = listing.company.owner
    if owner.is_active:
        outbox.put(
            key=f"listing-{listing.pk}-{key}",
            to=owner.email,
            words=words,
            site=listing.site,
        )


def notify_owner_optionally(
    kind: NotificationKind, *, listing: Listing, key: str, name: str, context: Mapping[str, Any]
) -> None:
    """Send an optional email, unless the account turned its kind off.

    `name` is that of the templates.
    """
    put_optional(
        kind,
        to=listing.company.owner,
        key=f"listing-{listing.pk}-{key}",
        name=name,
        context=context,
        site=listing.site,
    )


def notify_team(*, site: Site, key: str, words: Words) -> None:
    """Email a site's admins: its own address, or if it has none, everybody with access to the admin.

    Sent once per `key` and site.
    """
    outbox.put_all(
        Email(
            key=f"site-{site.pk}-{key}-{number}",
            to=address,
            words=words,
            site=site,
        )
        for number, address in _team(site)
    )


def _team(site: Site) -> list[tuple[int, str]]:
    """Return addresses with their account ids. The site's own address has 0."""
    if site.team_email:
        return [(0, site.team_email)]
    return list(User.objects.filter(is_staff=True, is_active=True).order_by("pk").values_list("pk", "email"))
