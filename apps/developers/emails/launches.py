"""Sample emails on the way to a launch."""

from collections.abc import Iterator
from datetime import timedelta

from django.urls import reverse

from apps.accounts.models import NotificationKind
from apps.accounts.notifications.services import ABOUT
from apps.developers.emails import MOMENT, Sample
from apps.developers.emails.listings import sample_listing
from apps.sites.models import Site


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email that this app sends."""
    listing = sample_listing(site)
    context = {
        "listing": listing,
        "is_free": True,
        "badges_url": site.url(reverse("badges", args=[listing.slug])),
        "launch_url": site.url(reverse("launch", args=[listing.slug])),
        "week_start": MOMENT,
        "week_end": MOMENT + timedelta(days=6),
        "missed_week": "2026-W46",
        "lost_week": "2026-W47",
        "missing_since": MOMENT - timedelta(days=7),
        "lose_at": MOMENT + timedelta(days=4),
        "host": "orbitly.example",
        "about": ABOUT[NotificationKind.LAUNCHES],
        "unsubscribe_url": site.url(reverse("stop_emails", args=["sample"])),
    }
    for name in ("scheduled", "postponed", "live", "badge_missing", "week_lost"):
        yield Sample(name=f"launches/emails/{name}", context=context)
    confirmation = {"listing": listing, "confirm_url": site.url(reverse("confirm_reminder", args=["sample"]))}
    yield Sample(name="launches/emails/reminder_confirm", context=confirmation)
    yield Sample(name="launches/emails/reminder", context={"listing": listing})
