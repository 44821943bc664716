"""The weekly statistics email, sent on Mondays to owners who want it and have a live listing."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import CharField, Count, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import NotificationKind, User
from apps.accounts.models.users import can_be_emailed
from apps.accounts.notifications.services import optional_email, wants
from apps.analytics.counting import OTHER_SOURCES
from apps.analytics.figures import Days, Figures, change_text, top_sources, totals
from apps.analytics.visits import SAME_SITE
from apps.core.email import outbox
from apps.core.email.text import Row
from apps.core.models import OutgoingEmail
from apps.core.text.weeks import Week
from apps.listings.models import Company, Follow, Listing
from apps.sites.models import Site

TOP_SOURCES = 3


@dataclass(frozen=True, slots=True)
class WeeklyFigures:
    """A listing's week and the week before. `votes` is the current total."""

    listing: Listing
    week: Week
    figures: Figures
    before: Figures
    new_followers: int
    votes: int
    sources: Sequence[tuple[str, int]]


def weekly_figures(account: User, *, week: Week | None = None) -> list[WeeklyFigures]:
    """Return the figures of an account's live listings on all sites for a week, by default the last complete one.

    Empty without live listings. The listings are loaded `with_details()`.
    """
    week = week or Week.of(timezone.now()) + -1
    listings = list(Listing.objects.visible_to(account).public().with_details().order_by("company__name", "pk"))
    days = Days(week.starts_at.date(), (week.ends_at - timedelta(days=1)).date())
    ids = [listing.pk for listing in listings]
    now, before = totals(ids, days), totals(ids, days.before)
    follows = Follow.objects.filter(listing__in=ids, created_at__gte=week.starts_at, created_at__lt=week.ends_at)
    followers = dict(follows.order_by().values_list("listing").annotate(count=Count("pk")))
    return [
        WeeklyFigures(
            listing=listing,
            week=week,
            figures=now[listing.pk],
            before=before[listing.pk],
            new_followers=followers.get(listing.pk, 0),
            votes=listing.current_votes,
            sources=top_sources(listing, days, most=TOP_SOURCES),
        )
        for listing in listings
    ]


logger = logging.getLogger(__name__)

# By then Sunday's last minutes are counted. Later than this, the numbers are old news.
FIRST_HOUR, LAST_HOUR = timedelta(hours=6), timedelta(hours=48)
BATCH = 200


def send_weekly_numbers() -> int:
    """Put the remaining emails of last week's numbers in the outbox. Returns how many. Does nothing outside its time.

    Safe to repeat: accounts that got this week's email are skipped.
    """
    now = timezone.now()
    this_week = Week.of(now)
    if not FIRST_HOUR <= now - this_week.starts_at < LAST_HOUR:
        return 0
    week = this_week + -1
    return sum(_tell(account, week) for account in list(_waiting(week)[:BATCH]))


def weekly_context(figures: Sequence[WeeklyFigures], *, site: Site) -> dict[str, Any]:
    """Return the email template's context for an account's listings, in a site's name."""
    return {"week": figures[0].week, "listings": [_listing(one, site) for one in figures]}


def _waiting(week: Week) -> QuerySet[User]:
    key = Concat(Value(_key_prefix(week)), Cast(OuterRef("pk"), CharField()))
    emailed = OutgoingEmail.objects.filter(key=key)
    listed = Company.objects.filter(owner=OuterRef("pk"), listings__status=Listing.Status.LIVE)
    reachable = can_be_emailed() & wants(NotificationKind.WEEKLY_NUMBERS)
    result: QuerySet[User] = User.objects.filter(reachable, Exists(listed), ~Exists(emailed)).order_by("pk")
    return result


def _tell(account: User, week: Week) -> bool:
    try:
        result = weekly_figures(account, week=week)
        if not result:
            return False
        site = result[0].listing.site
        email = optional_email(
            NotificationKind.WEEKLY_NUMBERS,
            to=account,
            key=f"{_key_prefix(week)}{account.pk}",
            name="analytics/emails/weekly_numbers",
            context=weekly_context(result, site=site),
            site=site,
            is_bulk=True,
        )
        outbox.put_all([email])
    except Exception:
        # One account's failure must not delay another's email.
        logger.exception("weekly numbers could not be written", extra={"account": account.pk})
        return False
    return True


def _key_prefix(week: Week) -> str:
    return f"weekly-{week}-"


def _listing(one: WeeklyFigures, site: Site) -> dict[str, Any]:
    listing, now, before = one.listing, one.figures, one.before
    rows = [
        Row(title="Views", value=_compared(now.views, before.views)),
        Row(title="Visitors (sum of daily visitors)", value=_compared(now.visitors, before.visitors)),
        Row(title="Clicks to the website", value=_compared(now.clicks, before.clicks)),
        Row(title="New followers", value=f"{one.new_followers:,}"),
        Row(title="Total votes", value=f"{one.votes:,}"),
    ]
    sources = [f"{_source(name, listing)} ({count:,})" for name, count in one.sources]
    return {
        "title": listing.company.name if listing.site == site else f"{listing.company.name} on {listing.site}",
        "rows": rows,
        "sources": ", ".join(sources),
        "url": listing.site.url(reverse("listing_statistics", args=[listing.slug])),
    }


def _compared(value: int, before: int) -> str:
    change = change_text(value, before)
    return f"{value:,} ({change})" if change else f"{value:,}"


def _source(name: str, listing: Listing) -> str:
    return {SAME_SITE: f"pages of {listing.site}", OTHER_SOURCES: "other sources"}.get(name, name)
