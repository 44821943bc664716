"""One email when a listing launches: for an account, or for an address whose owner confirmed it by a link."""

from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.accounts.models.users import can_be_emailed
from apps.core.email import outbox
from apps.core.email.outbox import Email
from apps.core.email.text import render_words
from apps.core.errors import Conflict
from apps.core.text.digest import short_digest
from apps.launches.models import LaunchReminder
from apps.listings.models import Listing

CONFIRM_WITHIN = timedelta(days=3)
_SALT = "apps.launches.reminders"
_BATCH = 500


class NotUpcoming(Conflict):
    code = "not_upcoming"
    title = "Listing not upcoming"


@transaction.atomic
def remind(*, listing: Listing, by: Actor) -> None:
    """Email the account when the listing launches. Repeating does nothing. Raises NotUpcoming (409)."""
    _remind(listing, user=by.account)


def cancel(*, listing: Listing, by: Actor) -> None:
    """Don't email the account. Repeating does nothing."""
    LaunchReminder.objects.filter(listing=listing, user=by.account).delete()


def is_reminded(listing: Listing, user: User | AnonymousUser) -> bool:
    return user.is_authenticated and LaunchReminder.objects.filter(listing=listing, user=user).exists()


def ask_to_confirm(*, listing: Listing, email: str) -> None:
    """Email a link that asks for the reminder. Nothing is stored until its owner opens it.

    One email a day and address. Who is reminded already gets none, and the caller isn't told.
    """
    email = email.lower()
    if LaunchReminder.objects.filter(listing=listing, email=email).exists():
        return
    words = {"listing": listing, "site": listing.site, "confirm_url": confirm_url(listing, email)}
    outbox.put(
        key=f"reminder-confirm-{listing.pk}-{timezone.now():%Y-%m-%d}-{short_digest(email)}",
        to=email,
        words=render_words("launches/emails/reminder_confirm", words),
        site=listing.site,
    )


def confirm_url(listing: Listing, email: str) -> str:
    """Return the URL that confirms an address, which works for `CONFIRM_WITHIN`."""
    return listing.site.url(reverse("confirm_reminder", args=[signing.dumps([listing.pk, email], salt=_SALT)]))


def asked_by(token: str) -> tuple[int, str] | None:
    """Return the listing's id and the address of a link of `ask_to_confirm`, or None if it is wrong or too old."""
    try:
        listing_id, email = signing.loads(token, salt=_SALT, max_age=CONFIRM_WITHIN)
    except signing.BadSignature:
        return None
    return int(listing_id), str(email)


@transaction.atomic
def confirm(*, listing: Listing, email: str) -> None:
    """Remind an address whose owner opened the link: its account if there is one. Raises NotUpcoming (409)."""
    account = User.objects.filter(can_be_emailed(), email=email).first()
    _remind(listing, user=account, email="" if account else email)


def send_reminders() -> None:
    """Email everybody who waits for a listing that is live now. Safe to repeat."""
    while _send_batch():
        pass


def _remind(listing: Listing, *, user: User | None, email: str = "") -> None:
    if listing.status not in Listing.UPCOMING:
        raise NotUpcoming("You can only ask for a reminder before a launch.")
    LaunchReminder.objects.bulk_create([LaunchReminder(listing=listing, user=user, email=email)], ignore_conflicts=True)


@transaction.atomic
def _send_batch() -> bool:
    due = LaunchReminder.objects.filter(listing__status=Listing.Status.LIVE).order_by("pk")
    locked = due.select_for_update(of=("self",), skip_locked=True)
    rows = list(locked.select_related("listing__company", "listing__site", "user")[:_BATCH])
    ids = [row.pk for row in rows]
    reachable = LaunchReminder.objects.filter(can_be_emailed("user") | Q(user=None), pk__in=ids)
    recipients = set(reachable.values_list("pk", flat=True))
    outbox.put_all([_email(row) for row in rows if row.pk in recipients])
    LaunchReminder.objects.filter(pk__in=ids).delete()
    return len(rows) == _BATCH


def _email(row: LaunchReminder) -> Email:
    listing = row.listing
    words = render_words("launches/emails/reminder", {"listing": listing, "site": listing.site})
    key = f"reminder-{listing.pk}-{short_digest(row.address)}"
    return Email(key=key, to=row.address, words=words, site=listing.site, is_bulk=True)
