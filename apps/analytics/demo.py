"""Demo statistics: visits to live listings since launch, in proportion to their votes."""

from datetime import timedelta

from apps.accounts.demo import OWNER
from apps.accounts.models import User
from apps.analytics.models import DailyReferrer, DailyStatistics
from apps.analytics.visits import SAME_SITE
from apps.core.demo import Demo
from apps.listings.models import Listing

# Visits per vote for each day since launch. Later days use the last number. Those of the demo owner's rise until today.
_COURSE = (2.6, 1.7, 1.2, 1.0, 0.9, 0.6, 0.7, 0.35)
_RISE, _TODAY, _LEAST = 1.1, 2.2, 0.3
_SOURCES = {SAME_SITE: 0.34, "ycombinator.com": 0.11, "newsletter": 0.09, "google.com": 0.08, "bsky.app": 0.06}


def seed(demo: Demo) -> None:
    """Give every live listing numbers for each day since launch."""
    days: list[DailyStatistics] = []
    referrers: list[DailyReferrer] = []
    for listing in demo.all(Listing).values():
        if listing.status == Listing.Status.LIVE and listing.launched_at:
            own = _days(demo, listing)
            days += own
            referrers += [
                DailyReferrer(listing=listing, day=one.day, source=source, views=views)
                for one in own
                for source, part in _SOURCES.items()
                if (views := int(one.views * part))
            ]
    DailyStatistics.objects.bulk_create(days, batch_size=2000)
    DailyReferrer.objects.bulk_create(referrers, batch_size=2000)


def _days(demo: Demo, listing: Listing) -> list[DailyStatistics]:
    if listing.launched_at is None:
        return []
    first = listing.launched_at.date()
    days = (demo.now.date() - first).days
    rises = listing.company.owner_id == demo.get(User, OWNER).pk
    made = []
    for number in range(days + 1):
        part = _TODAY / _RISE ** (days - number) if rises else _COURSE[min(number, len(_COURSE) - 1)]
        part = max(part, _LEAST) * demo.random.uniform(0.7, 1.3)
        views = int(listing.votes * part) + demo.random.randint(3, 9)
        made.append(
            DailyStatistics(
                listing=listing,
                day=first + timedelta(days=number),
                views=views,
                visitors=int(views * demo.random.uniform(0.62, 0.8)),
                clicks=int(views * demo.random.uniform(0.12, 0.24)),
            )
        )
    return made
