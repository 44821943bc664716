"""Decide whether a moderator reads a collection before it is public, by the signs of comments."""

from collections.abc import Sequence

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.blocklists.matching import find_match
from apps.comments.models import Comment
from apps.contributions import trust
from apps.contributions.names import public_name
from apps.curation.models import Collection
from apps.sites.models import Site

Review = Collection.Review
Status = Collection.Status


def review_reason(by: Actor, site: Site, *, text: str, hosts: Sequence[str], fingerprint: str, ignore: int = 0) -> str:
    """Return why a moderator has to read a collection first, or an empty string. `ignore` is the collection itself."""
    author = by.account
    if author.is_staff:
        return ""
    if find_match(f"{public_name(author)}\n{text}", site=site, address=by.address):
        return Review.BLOCKED.value
    others = Collection.objects.exclude(pk=ignore)
    own = others.filter(author=author)
    if trust.was_removed(Comment, author) or own.filter(status=Status.REMOVED).exists():
        return Review.REMOVED.value
    has_proved = own.public().exists() or trust.has_proved(Comment, author)
    if not has_proved and not trust.is_settled(author, site):
        return Review.FIRST.value
    today = others.filter(changed_at__gt=timezone.now() - trust.DAY).exclude(status=Status.PRIVATE)
    return trust.flood_reason(today, author, hosts=hosts, fingerprint=fingerprint)
