"""A sample of the weekly statistics email."""

from collections.abc import Iterator

from django.urls import reverse

from apps.accounts.models import NotificationKind
from apps.accounts.notifications.services import ABOUT
from apps.analytics.figures import Figures
from apps.analytics.weekly_email import WeeklyFigures, weekly_context
from apps.core.text.weeks import Week
from apps.developers.emails import MOMENT, Sample
from apps.developers.emails.listings import sample_listing
from apps.listings.models import Listing
from apps.sites.models import Site


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email this app sends."""
    context = weekly_context([_week_of(sample_listing(site))], site=site)
    unsubscribe_url = site.url(reverse("stop_emails", args=["sample"]))
    about = {"about": ABOUT[NotificationKind.WEEKLY_NUMBERS], "unsubscribe_url": unsubscribe_url}
    yield Sample(name="analytics/emails/weekly_numbers", context={**about, **context})


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
