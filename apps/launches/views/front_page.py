"""What stands beside this week's launches on the front page."""

from typing import Any

from apps.core.templatetags.ui import age, week_label
from apps.core.weeks import Week
from apps.launches.leaderboards.cards import CategoryLink, Row
from apps.launches.leaderboards.links import link
from apps.launches.leaderboards.periods import Board, period_around
from apps.launches.models import Standing
from apps.listings.models import Listing
from apps.listings.services import updates
from apps.sites.models import Site

_WINNERS = 4
_UPDATES = 5
_CATEGORIES = 8


def past_winners(site: Site) -> list[dict[str, Any]]:
    """Who won the last closed weeks, the latest first; weeks whose winner has left are passed over. One query."""
    winners = (
        Standing.objects.filter(site=site, rank=1, votes__gt=0, listing__status=Listing.Status.LIVE)
        .select_related("listing__company")
        .order_by("-iso_week")[:_WINNERS]
    )
    return [
        {
            "name": winner.listing.company.name,
            "slug": winner.listing.slug,
            "page_url": winner.listing.path,
            "logo_url": winner.listing.company.logo_url,
            "week_label": week_label(winner.iso_week),
            "board": link(period_around(Board.WEEKLY, Week.parse(winner.iso_week))),
            "votes": winner.votes,
        }
        for winner in winners
    ]


def latest_updates(site: Site) -> list[dict[str, Any]]:
    """The last news of live listings. One query."""
    return [
        {
            "title": update.title,
            "page_url": f"{update.listing.path}#update-{update.pk}",
            "company_name": update.listing.company.name,
            "age": age(update.created_at),
        }
        for update in updates.live_updates().filter(listing__site=site)[:_UPDATES]
    ]


def categories_among(rows: list[Row]) -> list[CategoryLink]:
    """The categories that most of these rows are in, by name; no query."""
    counts: dict[CategoryLink, int] = {}
    for category in (one for row in rows for one in row.categories):
        counts[category] = counts.get(category, 0) + 1
    most = sorted(counts, key=lambda category: (-counts[category], category.name))[:_CATEGORIES]
    return sorted(most, key=lambda category: category.name)
