"""Following listings and founders: who hears of their updates and launches, and unsubscribing."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.urls import reverse

from apps.accounts.actors import Actor
from apps.accounts.models import FounderProfile, User
from apps.core.email import outbox
from apps.core.email.unsubscribe import UnsubscribeLink
from apps.core.errors import Conflict
from apps.listings.models import Follow, Listing

UNSUBSCRIBE_LINK = UnsubscribeLink("unsubscribe", salt="apps.listings.services.followers", second=int)


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowButton:
    """What to follow, by name and the slug of its page, where to send the form, and whether the visitor does."""

    label: str
    name: str
    slug: str
    url: str
    is_following: bool


class NotFollowable(Conflict):
    code = "not_followable"
    title = "Can't be followed"


def follow(*, listing: Listing, by: Actor) -> None:
    """Email the account the listing's updates from now on. Following twice is a no-op. Raises NotFollowable (409)."""
    if listing.status != Listing.Status.LIVE:
        raise NotFollowable("You can only follow live listings.")
    Follow.objects.bulk_create([Follow(listing=listing, user=by.account)], ignore_conflicts=True)


def follow_founder(*, founder: FounderProfile, by: Actor) -> None:
    """Notify the account of the founder's launches from now on. Following twice is a no-op. Raises NotFollowable (409).

    The caller checks that the founder has a page on the site.
    """
    if founder.user_id == by.account.pk:
        raise NotFollowable("You can't follow yourself.")
    Follow.objects.bulk_create([Follow(founder=founder, user=by.account)], ignore_conflicts=True)


def unfollow_founder(*, founder: FounderProfile, by: Actor) -> None:
    """Stop notifying the account. Doing it twice is no error."""
    Follow.objects.filter(founder=founder, user=by.account).delete()


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


def listing_button(listing: Listing, user: User | AnonymousUser) -> FollowButton | None:
    """Return the follow button of a listing with its company, or None if it can't be followed."""
    if listing.status != Listing.Status.LIVE:
        return None
    return FollowButton(
        label="Follow updates",
        name=listing.company.name,
        slug=listing.slug,
        url=reverse("follow", args=[listing.slug]),
        is_following=is_following(listing, user),
    )


def founder_button(founder: FounderProfile, user: User | AnonymousUser) -> FollowButton | None:
    """Return the follow button of a founder with a page, or None on one's own."""
    if founder.user_id == user.pk or not founder.slug:
        return None
    return FollowButton(
        label="Follow launches",
        name=founder.real_name,
        slug=founder.slug,
        url=reverse("follow_founder", args=[founder.slug]),
        is_following=user.is_authenticated and Follow.objects.filter(founder=founder, user=user).exists(),
    )


def followed_by(user: User) -> QuerySet[Follow]:
    """Return what an account follows on all sites, newest first, with its listings and founders."""
    result: QuerySet[Follow] = Follow.objects.visible_to(user).select_related(
        "listing__company", "listing__site", "founder"
    )
    return result.order_by("-created_at", "-pk")


def email_key_prefix(listing_id: int) -> str:
    """Return the prefix of the outbox keys of a listing's updates."""
    return f"updates-{listing_id}-"


def unsubscribe_url(*, listing: Listing, user_id: int) -> str:
    """Return the URL that stops one person's emails about one listing, without signing in. It never expires."""
    return listing.site.url(UNSUBSCRIBE_LINK.path(listing.pk, user_id))
