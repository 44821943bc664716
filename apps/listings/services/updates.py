"""Updates by owners, and emails to followers."""

import logging
from datetime import timedelta
from math import ceil

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import NotificationKind
from apps.accounts.models.users import can_be_emailed
from apps.accounts.notifications.services import wants
from apps.blocklists.matching import check_texts
from apps.core.api.serializers import clean_text
from apps.core.delay_on_commit import delay_on_commit
from apps.core.email import outbox
from apps.core.email.outbox import Email
from apps.core.email.text import render_words
from apps.core.email.unsubscribe import one_click
from apps.core.errors import FIELD_REQUIRED, Conflict, TooManyRequests, Unprocessable, unknown_id
from apps.core.text.dates import moment_text
from apps.events.recording import Subject, record
from apps.listings.guidance import blockers
from apps.listings.models import Follow, Listing, Update
from apps.listings.services import followers as following
from apps.listings.services.locks import check_own, lock_listing

logger = logging.getLogger(__name__)

TITLE_LENGTH, BODY_LENGTH = 120, 4000
UNKNOWN = "This listing has no update with this id."
# Followers notified in one transaction.
NOTIFY_BATCH = 500
UPDATES_AT_ONCE = 100
DAY = timedelta(days=1)


class NotLive(Conflict):
    code = "not_live"
    title = "Listing not live"


@transaction.atomic
def post_listing_update(*, listing: Listing, title: str, body: str, by: Actor) -> Update:
    """Add an update to a live listing and enqueue the emails to its followers.

    `title` is one line, at most 120 characters, and `body` plain text, at most 4000. Control characters are removed,
    and markup stays text. Raises Unprocessable (422), NotLive and NotEditable (409), and TooManyRequests (429) past the
    site's updates_per_day, counted over 24 hours.
    """
    title, body = _checked("title", clean_text(title)), _checked("body", clean_text(body, multiline=True))
    check_texts({"title": title, "body": body}, site=listing.site, address=by.address)
    listing = lock_listing(listing.pk)
    check_own(listing.company, by)
    if listing.status != Listing.Status.LIVE:
        raise NotLive(
            f"Only live listings can post updates. This one is {listing.state_words}.",
            next_steps=blockers.next_steps(listing),
        )
    _check_pace(listing)
    update = Update.objects.create(listing=listing, title=title, body=body)
    record("update.posted", _subject_of(update, listing), by=by, title=title)
    delay_on_commit("apps.listings.tasks.notify_followers", update.pk)
    return update


@transaction.atomic
def delete_listing_update(*, update: Update, by: Actor) -> None:
    """Remove an update from the listing, the latest updates and the feeds. Followers who weren't emailed yet won't be.

    It still counts for the daily limit, so that deleting doesn't allow more emails. Raises NotEditable (409), and
    NotFound (404) when it is already gone.
    """
    listing = lock_listing(update.listing_id)
    check_own(listing.company, by)
    locked = listing.updates.select_for_update().filter(pk=update.pk).first()
    if locked is None:
        raise unknown_id("get_my_listing", UNKNOWN)
    locked.listing = listing
    delete_locked_update(locked, by=by)


def delete_locked_update(update: Update, *, by: Actor) -> None:
    """Empty a locked update. Its row still counts for the limit. Notifications that it brought are gone with it."""
    update.title, update.body, update.deleted_at = "", "", timezone.now()
    update.save(update_fields=["title", "body", "deleted_at"])
    record("update.deleted", _subject_of(update, update.listing), by=by)
    logger.info("update deleted", extra={"listing": update.listing_id, "update": update.pk, "account": by.account.pk})


def posted_today(listing: Listing) -> QuerySet[Update]:
    """Return the listing's updates of the last 24 hours, including deleted ones."""
    return Update.with_deleted.filter(listing=listing, created_at__gt=timezone.now() - DAY)


def live_updates() -> QuerySet[Update]:
    """Return the public updates, newest first, with their company's name and logo."""
    return (
        Update.objects.filter(listing__status=Listing.Status.LIVE)
        .select_related("listing__company", "listing__site")
        .order_by("-created_at", "-pk")
    )


def page_url(update: Update) -> str:
    """Return the absolute URL of an update."""
    return update.listing.site.url(page_path(update))


def page_path(update: Update) -> str:
    """Return the same on its site."""
    return f"{update.listing.path}#update-{update.pk}"


def count_emailed(listing: Listing) -> int:
    """Return how many followers an update posted now would be emailed to."""
    return _emailed(listing).count()


def updates_to_notify() -> list[int]:
    """Return updates that some followers weren't notified of yet, oldest first."""
    return list(
        Update.objects.filter(notified_at__isnull=True).order_by("pk").values_list("pk", flat=True)[:UPDATES_AT_ONCE]
    )


@transaction.atomic
def notify_followers(update_id: int) -> bool:
    """Queue the emails for the next batch of followers. Returns whether there are more.

    The progress is saved with the emails, so that after a crash nobody is emailed twice or left out. Once the listing
    is no longer live, nobody else is emailed.
    """
    update = (
        Update.objects.select_for_update(of=("self",), skip_locked=True)
        .select_related("listing__company", "listing__site")
        .filter(pk=update_id, notified_at__isnull=True)
        .first()
    )
    if update is None:
        return False
    followers = _next_followers(update) if update.listing.status == Listing.Status.LIVE else []
    reachable = _reachable(followers, update)
    outbox.put_all(_email(update, follow) for follow in followers if follow.pk in reachable)
    has_more = len(followers) == NOTIFY_BATCH
    if followers:
        update.notified_through = followers[-1].pk
    if not has_more:
        update.notified_at = timezone.now()
    update.save(update_fields=["notified_through", "notified_at"])
    return has_more


def _subject_of(update: Update, listing: Listing) -> Subject:
    return Subject("update", update.pk, listing.company.owner_id, listing.site_id, {"listing_id": listing.pk})


def _checked(name: str, text: str) -> str:
    most = {"title": TITLE_LENGTH, "body": BODY_LENGTH}[name]
    if not text:
        raise Unprocessable(FIELD_REQUIRED, code="blank", pointer=f"/{name}")
    if len(text) > most:
        raise Unprocessable(f"Use up to {most:,} characters for the {name}.", code="max_length", pointer=f"/{name}")
    return text


def _check_pace(listing: Listing) -> None:
    """Reject an update past the site's limit. The listing's lock serializes concurrent requests."""
    most, now = listing.site.updates_per_day, timezone.now()
    posted = list(posted_today(listing).order_by("-created_at").values_list("created_at", flat=True)[:most])
    if len(posted) < most:
        return
    wait = max(ceil((posted[-1] + DAY - now).total_seconds()), 1)
    plural = "" if most == 1 else "s"
    raise TooManyRequests(
        (
            f"This listing posted {most} update{plural} in 24 hours, the maximum. Post the next one after "
            f"{moment_text(now + timedelta(seconds=wait))}."
        ),
        retry_after=wait,
    )


def _next_followers(update: Update) -> list[Follow]:
    """Return the next followers in the order they followed. Later followers already saw the update."""
    rest = Follow.objects.filter(
        listing=update.listing, pk__gt=update.notified_through, created_at__lte=update.created_at
    ).select_related("user")
    return list(rest.order_by("pk")[:NOTIFY_BATCH])


def _reachable(followers: list[Follow], update: Update) -> set[int]:
    result = _emailed(update.listing).filter(pk__in=[follow.pk for follow in followers])
    return set(result.values_list("pk", flat=True))


def _emailed(listing: Listing) -> QuerySet[Follow]:
    """Return the follows that get emails: open accounts with a verified address that want them, except the owner's."""
    wanted = can_be_emailed("user") & wants(NotificationKind.FOLLOWED, "user")
    followers: QuerySet[Follow] = Follow.objects.filter(wanted, listing=listing)
    return followers.exclude(user=listing.company.owner_id)


def _email(update: Update, follow: Follow) -> Email:
    listing, site = update.listing, update.listing.site
    leave_url = following.unsubscribe_url(listing=listing, user_id=follow.user_id)
    context = {
        "update": update,
        "page_url": page_url(update),
        "company": listing.company,
        "site": site,
        "unsubscribe_url": leave_url,
    }
    return Email(
        key=f"{following.email_key_prefix(listing.pk)}{update.pk}-{follow.user_id}",
        to=follow.user.email,
        words=render_words("listings/emails/update", context, subject=f"{listing.company.name}: {update.title}"),
        site=site,
        kind=NotificationKind.FOLLOWED,
        headers=one_click(leave_url),
        is_bulk=True,
    )
