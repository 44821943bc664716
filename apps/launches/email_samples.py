"""Sample emails on the way to a launch."""

from collections.abc import Iterator
from datetime import timedelta

from django.urls import reverse

from apps.accounts.notification_kinds import ABOUT, NotificationKind
from apps.core.email.samples import MOMENT, Sample
from apps.core.weeks import Week
from apps.launches.statistics.weekly_email import weekly_context
from apps.listings.email_samples import sample_listing
from apps.listings.models import Listing
from apps.listings.statistics.figures import Figures
from apps.listings.statistics.weekly import WeeklyFigures
from apps.sites.models import Site


def email_samples(site: Site) -> Iterator[Sample]:
    """One of each email that this app sends."""
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
    weekly = weekly_context([_week_of(listing)], site=site)
    about = {**context, "about": ABOUT[NotificationKind.WEEKLY_NUMBERS]}
    yield Sample(name="launches/emails/weekly_numbers", context={**about, **weekly})


def _week_of(listing: Listing) -> WeeklyFigures:
    return WeeklyFigures(
        listing=listing,
        week=Week.of(MOMENT) + -1,
        figures=Figures(views=1284, visitors=903, clicks=211),
        before=Figures(views=1106, visitors=910, clicks=0),
        new_followers=14,
        votes=412,
        sources=[("news.example", 340), ("search.example", 212)],
    )
