"""Following a listing: who gets its updates by email, and unsubscribing."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.core.email import outbox
from apps.core.email.unsubscribe import UnsubscribeLink
from apps.core.errors import Conflict
from apps.listings.models import Follow, Listing

UNSUBSCRIBE_LINK = UnsubscribeLink("unsubscribe", salt="apps.listings.services.followers", second=int)


class NotFollowable(Conflict):
    code = "not_followable"
    title = "Listing not live"


def follow(*, listing: Listing, by: Actor) -> None:
    """Email the account the listing's updates from now on. Following twice is a no-op. Raises NotFollowable (409)."""
    if listing.status != Listing.Status.LIVE:
        raise NotFollowable("Only live listings can be followed.")
    Follow.objects.bulk_create([Follow(listing=listing, user=by.account)], ignore_conflicts=True)


def unfollow(*, listing: Listing, by: Actor) -> None:
    """Stop emailing the account the listing's updates, in any status, and cancel those in the outbox."""
    unsubscribe(listing_id=listing.pk, user_id=by.account.pk)


def unsubscribe(*, listing_id: int, user_id: int) -> None:
    """Do the same by ids. A missing follow, listing or account is no error."""
    Follow.objects.filter(listing=listing_id, user=user_id).delete()
    address = User.objects.filter(pk=user_id).values_list("email", flat=True).first()
    if address:
        outbox.withdraw(key_prefix=email_key_prefix(listing_id), to=address)


def is_following(listing: Listing, user: User | AnonymousUser) -> bool:
    return user.is_authenticated and Follow.objects.filter(listing=listing, user=user).exists()


def follow_state(listing: Listing, user: User | AnonymousUser) -> bool | None:
    """Return the state of the follow button: whether the visitor follows. None if the listing can't be followed."""
    return is_following(listing, user) if listing.status == Listing.Status.LIVE else None


def followed_by(user: User) -> QuerySet[Follow]:
    """Return what an account follows on all sites, newest first, with its listings."""
    found: QuerySet[Follow] = Follow.objects.visible_to(user).select_related("listing__company", "listing__site")
    return found.order_by("-created_at", "-pk")


def email_key_prefix(listing_id: int) -> str:
    """Return the prefix of the outbox keys of a listing's updates."""
    return f"updates-{listing_id}-"


def unsubscribe_url(*, listing: Listing, user_id: int) -> str:
    """Return the URL that stops one person's emails about one listing, without signing in. It never expires."""
    return listing.site.url(UNSUBSCRIBE_LINK.path(listing.pk, user_id))
