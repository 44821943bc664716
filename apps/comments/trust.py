"""Decide whether a moderator reads a comment before it is posted."""

from collections.abc import Sequence
from datetime import timedelta

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from apps.accounts.models import User
from apps.blocklists.matching import find_match
from apps.comments.models import Comment
from apps.listings.models import Listing

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
    text: str = "",
    address: str = "",
    ignore: int = 0,
) -> str:
    """Return why a moderator has to read a comment first, or an empty string.

    `is_crowded` means that the listing gets unusually many comments now. `ignore` is the comment that is edited,
    and `address` the IP address of the client.
    """
    if author.is_staff:
        return ""
    if find_match(text, site=listing.site, address=address):
        return Review.BLOCKED.value
    if author.pk == listing.company.owner_id:
        return ""
    own = Comment.objects.filter(author=author).exclude(pk=ignore)
    if own.filter(status=Status.REMOVED, created_at__gt=timezone.now() - PROBATION).exists():
        return Review.REMOVED.value
    has_proved = own.filter(status__in=[Status.POSTED, Status.HIDDEN]).exists() or _is_contributor(author)
    if not has_proved and not _is_settled(author, listing):
        return Review.FIRST.value
    if is_crowded and not has_proved:
        return Review.CROWD.value
    today = Comment.objects.filter(created_at__gt=timezone.now() - DAY).exclude(pk=ignore)
    if today.filter(fingerprint=fingerprint).exclude(author=author).count() >= SAME_TEXT:
        return Review.COPIES.value
    # Links to the product itself are no advertising.
    foreign = [host for host in hosts if host != listing.company.website_key.partition("/")[0]]
    if foreign and today.filter(hosts__overlap=foreign).count() >= SAME_LINK:
        return Review.LINKS.value
    return ""


def _is_contributor(author: User) -> bool:
    return Listing.objects.public().filter(company__owner=author).exists()


def _is_settled(author: User, listing: Listing) -> bool:
    """Return whether the account is old enough for a whole vote, and signs in with a passkey or a provider."""
    if author.joined_at > timezone.now() - timedelta(days=listing.site.vote_new_account_days):
        return False
    passkeys = Authenticator.objects.filter(user=author, type=Authenticator.Type.WEBAUTHN)
    return bool(passkeys.exists() or SocialAccount.objects.filter(user=author).exists())
