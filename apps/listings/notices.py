"""Mails about listings, to their owners and to the site team, through the outbox."""

from collections.abc import Mapping
from typing import Any

from apps.accounts.models import User
from apps.accounts.notifications.kinds import MailKind
from apps.accounts.notifications.services import put_optional
from apps.core.email import outbox
from apps.core.email.outbox import Letter
from apps.core.email.text import Words
from apps.listings.models import Listing
from apps.sites.models import Site


def tell_owner(*, listing: Listing, key: str, words: Words) -> None:
    """Mail the listing's owner in the name of its site; the same `key` for the same listing is told once.

    `key` names the occasion, such as `badge-lost-2026-W46`. An account that is closed gets nothing.
    """
    owner = listing.company.owner
    if owner.is_active:
        outbox.put(
            key=f"listing-{listing.pk}-{key}",
            to=owner.email,
            words=words,
            site=listing.site,
        )


def tell_owner_of(kind: MailKind, *, listing: Listing, key: str, name: str, context: Mapping[str, Any]) -> None:
    """The same for mails that owners may do without: nothing is put for an account that does not want the kind.

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


def tell_team(*, site: Site, key: str, words: Words) -> None:
    """Mail the site's team: its address, or everybody with access to the admin when the site has none.

    The same `key` on the same site is told once.
    """
    outbox.put_all(
        Letter(
            key=f"site-{site.pk}-{key}-{number}",
            to=address,
            words=words,
            site=site,
        )
        for number, address in _team(site)
    )


def _team(site: Site) -> list[tuple[int, str]]:
    """Addresses, each with the number of its account; 0 is the site's own."""
    if site.team_email:
        return [(0, site.team_email)]
    return list(User.objects.filter(is_staff=True, is_active=True).order_by("pk").values_list("pk", "email"))
