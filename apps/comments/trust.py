"""Decide whether a moderator reads a comment before it is posted. Collections are reviewed by the same signs."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.comments.models import Comment
from apps.listings.models import Listing
from apps.sites.models import Site

Review = Comment.Review
Status = Comment.Status

DAY = timedelta(days=1)
# After a removal, an account's comments are read for so long.
PROBATION = timedelta(days=30)
# So many comments of a day may link to the same website, or have the same text, before a moderator reads the next.
SAME_LINK, SAME_TEXT = 4, 2


def review_reason(
    author: User,
    listing: Listing,
    *,
    hosts: Sequence[str],
    fingerprint: str,
    is_crowded: bool,
    ignore: int = 0,
) -> str:
    """Return why a moderator has to read a comment first, or an empty string.

    `is_crowded` means that the listing gets unusually many comments now. `ignore` is the comment that is edited.
    """
    if author.is_staff or author.pk == listing.company.owner_id:
        return ""
    if was_removed(author):
        return Review.REMOVED.value
    proved = has_proved(author, ignore=ignore)
    if not proved and not is_settled(author, listing.site):
        return Review.FIRST.value
    if is_crowded and not proved:
        return Review.CROWD.value
    today = Comment.objects.filter(created_at__gt=timezone.now() - DAY).exclude(pk=ignore)
    # Links to the product itself are no advertising.
    foreign = [host for host in hosts if host != listing.company.website_key.partition("/")[0]]
    return flood_reason(today, author, hosts=foreign, fingerprint=fingerprint)


def was_removed(author: User) -> bool:
    """Return whether a moderator removed a comment of the account in the last weeks."""
    removed = Comment.objects.filter(author=author, status=Status.REMOVED)
    return removed.filter(created_at__gt=timezone.now() - PROBATION).exists()


def has_proved(author: User, *, ignore: int = 0) -> bool:
    """Return whether the account has a posted comment besides the one to `ignore`, or a live listing."""
    posted = Comment.objects.filter(author=author, status__in=[Status.POSTED, Status.HIDDEN]).exclude(pk=ignore)
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
        return Review.COPIES.value
    if hosts and today.filter(hosts__overlap=hosts).count() >= SAME_LINK:
        return Review.LINKS.value
    return ""
