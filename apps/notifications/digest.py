"""The daily digest: a person's unread notifications in one email, at the hour of their choice."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urljoin

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import NotificationKind, User
from apps.accounts.models.users import can_be_emailed
from apps.accounts.notifications.services import optional_email, wants
from apps.core.email import outbox
from apps.notifications.inbox import Notification, Position, list_notifications
from apps.notifications.models import DEFAULT_HOUR, Digest
from apps.sites.models import Site

logger = logging.getLogger(__name__)

BATCH = 1000
# The first digest has nothing older.
LONGEST = timedelta(days=7)


@transaction.atomic
def set_digest_hour(account: User, hour: int) -> None:
    """Set when the digest comes, in UTC."""
    Digest.objects.update_or_create(account=account, defaults={"hour": hour})


def send_digests() -> int:
    """Write the digests that are due today. Returns how many. Safe to repeat and to run in several workers."""
    now = timezone.now()
    return sum(_try(account, now) for account in _due(now))


def digest_context(items: Sequence[Notification], *, has_more: bool, site: Site) -> dict[str, Any]:
    """Return the context of the email's templates."""
    center = reverse("notifications")
    entries = [
        {"text": item.text, "url": urljoin(site.url("/"), item.url or center), "kind": item.kind.label}
        for item in items
    ]
    return {"items": entries, "has_more": has_more}


def _due(now: datetime) -> list[User]:
    missing = Q(digest__isnull=True) if now.hour >= DEFAULT_HOUR else Q(pk__in=[])
    due = Q(digest__hour__lte=now.hour) & (Q(digest__written_on__isnull=True) | Q(digest__written_on__lt=now.date()))
    wanted = User.objects.filter(missing | due, can_be_emailed() & wants(NotificationKind.DIGEST))
    return list(wanted.order_by("pk")[:BATCH])


def _try(account: User, now: datetime) -> bool:
    try:
        return _write(account, now)
    except Exception:
        # One account's failure must not delay another's email.
        logger.exception("a digest could not be written", extra={"account": account.pk})
        return False


@transaction.atomic
def _write(account: User, now: datetime) -> bool:
    """Write one digest, unless another worker did or nothing is unread. Either way the day is done."""
    Digest.objects.get_or_create(account=account)
    digest = Digest.objects.select_for_update(skip_locked=True).filter(account=account).first()
    if digest is None or digest.written_on == now.date():
        return False
    after = Position(
        max(digest.events_sent, account.events_read),
        max(digest.updates_sent, account.updates_read),
        max(digest.launches_sent, account.launches_read),
    )
    page = list_notifications(account, after=after, since=now - LONGEST)
    digest.written_on = now.date()
    if page.items:
        digest.events_sent = max(page.newest.event, after.event)
        digest.updates_sent = max(page.newest.update, after.update)
        digest.launches_sent = max(page.newest.launch, after.launch)
        site = page.items[0].site
        context = digest_context(page.items, has_more=page.older is not None, site=site)
        email = optional_email(
            NotificationKind.DIGEST,
            to=account,
            key=f"digest-{digest.written_on}-{account.pk}",
            name="notifications/emails/digest",
            context=context,
            site=site,
            is_bulk=True,
        )
        outbox.put_all([email])
    digest.save()
    return bool(page.items)
