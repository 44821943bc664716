"""Decide whether a moderator reads a comment, review or collection before it is posted."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.blocklists.matching import find_match
from apps.contributions.models import Contribution
from apps.contributions.names import public_name
from apps.listings.models import Listing
from apps.moderation.models import Decision
from apps.sites.models import Site

DAY = timedelta(days=1)
# After a removal, what an account writes is read for so long.
PROBATION = timedelta(days=30)
# So many of a day may link to the same website, or have the same text, before a moderator reads the next.
SAME_LINK, SAME_TEXT = 4, 2


def review_reason(
    kind: type[Contribution],
    by: Actor,
    listing: Listing,
    *,
    text: str,
    hosts: Sequence[str],
    fingerprint: str,
    is_crowded: bool,
    ignore: int | None = None,
) -> str:
    """Return why a moderator has to read a text first, or an empty string.

    `is_crowded` means that the listing gets unusually many now. `ignore` is the row that is edited.
    """
    author = by.account
    if author.is_staff:
        return ""
    if find_match(f"{public_name(author)}\n{text}", site=listing.site, address=by.address):
        return "blocked"
    if author.pk == listing.company.owner_id:
        return ""
    if was_removed(kind, author, ignore=ignore):
        return "removed"
    proved = has_proved(kind, author, ignore=ignore)
    if not proved and not is_settled(author, listing.site):
        return "first"
    if is_crowded and not proved:
        return "crowd"
    today = _rows(kind, ignore).filter(created_at__gt=timezone.now() - DAY)
    # Links to the product itself are no advertising.
    foreign = [host for host in hosts if host != listing.company.website_key.partition("/")[0]]
    return flood_reason(today, author, hosts=foreign, fingerprint=fingerprint)


def was_removed(kind: type[Contribution], author: User, *, ignore: int | None = None) -> bool:
    """Return whether a moderator removed what the account wrote in the last weeks, though deleted since."""
    name = kind._meta.model_name
    decided = Decision.objects.filter(author=author, action=Decision.Action.REMOVED, case__kind=name)
    removed = Q(status="removed") | Q(status="deleted", pk__in=decided.values("case__object_id"))
    own = _rows(kind, ignore).filter(author=author, created_at__gt=timezone.now() - PROBATION)
    return bool(own.filter(removed).exists())


def has_proved(kind: type[Contribution], author: User, *, ignore: int | None = None) -> bool:
    """Return whether the account has a posted text besides the one to `ignore`, or a live listing."""
    posted = _rows(kind, ignore).filter(author=author, status__in=["posted", "hidden"])
    return posted.exists() or Listing.objects.public().filter(company__owner=author).exists()


def is_settled(author: User, site: Site) -> bool:
    """Return whether the account is old enough for a whole vote, and signs in with a passkey or a provider."""
    if author.joined_at > timezone.now() - timedelta(days=site.vote_new_account_days):
        return False
    passkeys = Authenticator.objects.filter(user=author, type=Authenticator.Type.WEBAUTHN)
    return bool(passkeys.exists() or SocialAccount.objects.filter(user=author).exists())


def flood_reason(today: QuerySet[Any], author: User, *, hosts: Sequence[str], fingerprint: str) -> str:
    """Return why a text looks like one of a flood among `today`'s, or an empty string.

    The rows have an `author`, and the `hosts` and `fingerprint` of their texts. Short texts may have no fingerprint.
    """
    if fingerprint and today.filter(fingerprint=fingerprint).exclude(author=author).count() >= SAME_TEXT:
        return "copies"
    if hosts and today.filter(hosts__overlap=hosts).count() >= SAME_LINK:
        return "links"
    return ""


def _rows(kind: type[Contribution], ignore: int | None) -> Any:
    return kind._default_manager.exclude(pk=ignore)
