"""A page of coming launch weeks with their free spots."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.core.text.dates import time_left, week_and_year, week_dates, week_label
from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.closing import queue_promise
from apps.launches.calendar.launch_weeks import Offer, Places
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs

WEEKS_SHOWN = 12


@require_safe
def weeks(request: SiteHttpRequest) -> HttpResponse:
    """Show the coming weeks with their free spots, and the first week that each plan would get now."""
    promise = queue_promise(request.site)
    now, first_free = launch_weeks.current_week(), launch_weeks.first_free_week(request.site)
    upcoming = launch_weeks.places(request.site, first=now, count=WEEKS_SHOWN)
    context = {
        "weeks": [_shown(places, now=now, first_free=first_free) for places in upcoming],
        "next_free": _offer(promise.free, now=now),
        "next_paid": _offer(promise.paid, now=now),
        "queue_weeks": request.site.free_queue_weeks,
        "canonical_url": request.site.url(reverse("weeks")),
        "structured_data": [crumbs(request.site, ("Upcoming weeks", reverse("weeks")))],
    }
    return render(request, "directory/weeks.html", context)


def _shown(places: Places, *, now: Week, first_free: Week) -> dict[str, Any]:
    return {
        "label": _label(places.week, now=now),
        "dates_text": week_dates(places.week),
        "is_now": places.week == now,
        "launch_count": places.taken,
        # The free queue skips weeks before its first one, even if they have spots.
        "is_free_open": places.week >= first_free,
        "free_total": places.free_total,
        "free_left": places.free_left,
        "free_taken": places.free_total - places.free_left,
        "paid_total": places.paid_total,
        "paid_left": places.paid_left,
        "paid_taken": places.paid_total - places.paid_left,
    }


def _offer(offer: Offer | None, *, now: Week) -> dict[str, Any] | None:
    if offer is None:
        return None
    return {
        "label": "This week" if offer.week == now else _label(offer.week, now=now),
        "dates_text": week_dates(offer.week),
        "places_left": offer.places_left,
        "closing_text": f"closes in {time_left(now.ends_at)}" if offer.week == now else "",
    }


def _label(week: Week, *, now: Week) -> str:
    """Return the week's number, with its year unless it is the current one."""
    return week_label(week) if week.year == now.year else week_and_year(week)
