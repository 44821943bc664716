"""Owner pages on the way to a listing's launch."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.core.errors import DomainError
from apps.core.text.dates import week_dates, week_days, week_label, week_text
from apps.core.text.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.closing import RunningWeek, queue_promise, running_week
from apps.launches.calendar.launch_weeks import Offer, Places
from apps.launches.owner.status_text import status_text, way_back
from apps.launches.owner.tasks import after_polling, polled_url, profile_address, tasks_of, work_under_way
from apps.launches.services import launch as services
from apps.launches.services import reschedule
from apps.launches.share import missing_pictures
from apps.listings.guidance import badge_status
from apps.listings.models import Listing
from apps.listings.owner_pages import address_of, head, own_listing
from apps.orders.checkout import other_launches
from apps.orders.checkout.other_launches import State
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest

Plan = Listing.Plan
Status = Listing.Status
# More weeks than people read through. Moving a launch offers the rest of the year.
PAID_WEEKS_SHOWN = 26


@never_cache
@login_required
@require_safe
def launch(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show the choice between a free and a paid launch, with the first weeks and their spots."""
    listing = own_listing(request, slug)
    under_way = work_under_way(listing)
    if request.headers.get("HX-Request") == "true" and not under_way:
        return after_polling(request, listing)
    if listing.status == Status.LIVE and not listing.is_upgradable:
        return redirect("share_listing", slug=slug)
    promise = queue_promise(listing.site)
    running = running_week(listing.site)
    can_buy = listing.status in Listing.LAUNCHABLE and listing.plan != Plan.PAID
    context = {
        "listing": listing,
        "head": head(listing, current="launch"),
        "week_text": week_text(listing.week) if listing.status == Status.SCHEDULED else "",
        "is_launching": listing.status in Listing.LAUNCHABLE,
        "can_queue": listing.status == Status.DRAFT,
        "can_buy": can_buy,
        "can_upgrade": listing.is_upgradable,
        "unpaid": _unpaid(request, listing) if can_buy or listing.is_upgradable else None,
        "free": _offer(promise.free),
        "paid": _offer(promise.paid),
        "paid_weeks": _paid_weeks(listing.site, running),
        "running": running,
        "tasks": tasks_of(listing),
        "profile_url": profile_address(listing),
        "share_url": address_of(listing, "share_listing") if listing.status == Status.SCHEDULED else "",
        "check_text": under_way,
        "polled_url": polled_url(listing, request.path),
        "status_text": status_text(listing).text,
        "missing_pictures": missing_pictures(listing),
        "way_back": way_back(listing),
    }
    return render(request, "directory/owner/choose.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def move(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Move a scheduled launch to another week with a spot. A closing week needs a confirmation."""
    listing = own_listing(request, slug)
    running = running_week(listing.site)
    problem, is_asked = "", False
    if request.method == "POST":
        try:
            week = _week(request.POST.get("week", ""))
            is_asked = _asks_first(request, listing, week, running)
            moved = listing if is_asked else reschedule.move_launch(listing=listing, week=week, by=actor_of(request))
        except DomainError as error:
            problem = error.detail
            listing = own_listing(request, slug)
        else:
            if not is_asked:
                messages.success(request, _moved_text(moved))
                return redirect("share_listing", slug=slug)
    is_movable = listing.status == Status.SCHEDULED
    weeks = reschedule.weeks_to_choose(listing.site, listing.plan) if is_movable else []
    context = {
        "listing": listing,
        "head": head(listing, current="launch"),
        "is_movable": is_movable,
        "week_text": week_text(listing.week),
        "weeks": [_choice(result, listing.plan, own=listing.week) for result in weeks],
        "running": running,
        "is_asked": is_asked,
        "problem": problem,
        "way_back": way_back(listing),
    }
    return render(request, "directory/owner/move.html", context, status=422 if problem else 200)


@login_required
@require_POST
def choose_free(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Choose the free plan, or check for the badge again."""
    listing = own_listing(request, slug)
    try:
        choice = services.choose_free_listing(listing=listing, by=actor_of(request))
    except DomainError as error:
        messages.error(request, error.detail)
        return redirect("launch", slug=slug)
    chosen = choice.listing
    if choice.refused_for is not None:
        check = badge_status.badge_check(chosen, refused_for=choice.refused_for)
        messages.warning(request, check.message if check else "")
    if listing.status != Status.SCHEDULED and chosen.status == Status.SCHEDULED:
        return redirect("share_listing", slug=slug)
    if listing.status == Status.DRAFT:
        messages.success(request, "Free plan chosen")
    return redirect("launch" if listing.status == Status.DRAFT else "badges", slug=slug)


def _asks_first(request: SiteHttpRequest, listing: Listing, week: Week, running: RunningWeek) -> bool:
    """Return whether a move trades a whole week for the rest of the current one without a confirmation."""
    is_rest = running.is_closing and week == running.week != listing.week
    return is_rest and listing.status == Status.SCHEDULED and request.POST.get("confirmed") != str(week)


def _week(text: str) -> Week:
    try:
        return Week.parse(text)
    except ValueError:
        raise launch_weeks.InvalidWeek("Choose one of the weeks.") from None


def _moved_text(listing: Listing) -> str:
    if listing.status == Status.LIVE:
        return f"{listing.company} is live."
    return f"{listing.company} launches in {week_text(listing.week)}."


def _unpaid(request: SiteHttpRequest, listing: Listing) -> dict[str, str] | None:
    """Return a notice about the account's own unpaid order of this launch, to keep it from buying twice."""
    others = other_launches.of_listings([listing.pk], account_id=account_of(request).pk)
    order = next((other for other in others if other.number and other.state != State.PAID), None)
    if order is None:
        return None
    state = "is being paid" if order.state == State.PAYING else "isn't paid yet"
    return {"text": f"Order {order.number} for this launch {state}.", "url": order.url}


def _offer(offer: Offer | None) -> dict[str, Any] | None:
    if offer is None:
        return None
    is_now = offer.week == launch_weeks.current_week()
    return {"week": offer.week, "text": week_text(offer.week), "left": offer.places_left, "is_now": is_now}


def _paid_weeks(site: Site, running: RunningWeek) -> list[dict[str, Any]]:
    """Return the weeks with a paid spot. While the current week closes, the first whole one is preselected."""
    result = launch_weeks.places(site, first=running.week, count=PAID_WEEKS_SHOWN)
    choices = [_choice(one, Plan.PAID) for one in result if one.paid_left]
    preselected = next((one for one in choices if not (one["is_now"] and running.is_closing)), None)
    for choice in choices:
        choice["is_preselected"] = choice is preselected
    return choices


def _choice(places: Places, plan: str, *, own: Week | None = None) -> dict[str, Any]:
    return {
        "value": str(places.week),
        "label": week_label(places.week),
        "dates": week_dates(places.week),
        "days": week_days(places.week),
        "left": places.left(plan),
        "is_now": places.week == launch_weeks.current_week(),
        "is_own": places.week == own,
    }
