"""A sample of the daily digest."""

from collections.abc import Iterator

from django.urls import reverse

from apps.accounts.models import NotificationKind
from apps.accounts.notifications.services import ABOUT
from apps.developers.emails import MOMENT, Sample
from apps.notifications.digest import digest_context
from apps.notifications.inbox import Notification
from apps.sites.models import Site

_TEXTS = (
    (
        NotificationKind.LAUNCHES,
        "Orbitly finished week 47 (Nov 16–22, 2026) at #1 with 204 votes.",
        "/listings/orbitly",
    ),
    (NotificationKind.ORDERS, "$117.81 was refunded for order SL-7K2M9Q.", "/orders/SL-7K2M9Q"),
    (NotificationKind.DRAFTS, "Your draft of acme.example is ready.", "/drafts/31"),
)


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email this app sends."""
    items = [
        Notification(at=MOMENT, kind=kind, text=text, url=url, is_unread=True, site=site) for kind, text, url in _TEXTS
    ]
    about = {
        "about": ABOUT[NotificationKind.DIGEST],
        "unsubscribe_url": site.url(reverse("stop_emails", args=["sample"])),
    }
    yield Sample(
        name="notifications/emails/digest", context={**about, **digest_context(items, has_more=False, site=site)}
    )
