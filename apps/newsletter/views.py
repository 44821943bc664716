"""Newsletter pages: this week's, past weeks, and subscribing."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.core.email.filebased import email_folder
from apps.core.email.unsubscribe import UnsubscribePage, Unsubscribing
from apps.core.stores.valkey.counters import Limit
from apps.core.text.dates import week_and_year, week_dates
from apps.core.text.weeks import YEARS, Week
from apps.core.web.forms import EmailForm
from apps.core.web.urls import next_path
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.leaderboards.cards import listing_cards
from apps.listings.models import Listing, Update
from apps.newsletter import subscriptions
from apps.newsletter.issues import Issue, issue_of, past_weeks
from apps.orders.products.placements.card import sponsored_card
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs

# Emails an hour that one address may have us send to strangers.
LIMIT = Limit("newsletter", 10, 3600, events="addresses")


@require_safe
def newsletter(request: SiteHttpRequest) -> HttpResponse:
    """Show this week's newsletter so far."""
    return _show(request, issue_of(request.site, current_week()))


@require_safe
def past_newsletter(request: SiteHttpRequest, week: str) -> HttpResponse:
    """Show a week's newsletter. 404 for future and empty weeks."""
    try:
        chosen = Week.parse(week)
    except ValueError:
        raise Http404 from None
    if chosen.year not in YEARS or chosen > current_week():
        raise Http404
    issue = issue_of(request.site, chosen)
    if issue.is_empty and not issue.is_current:
        raise Http404
    return _show(request, issue)


def _show(request: SiteHttpRequest, issue: Issue, *, form: EmailForm | None = None) -> HttpResponse:
    context = {
        "week": {
            "label": week_and_year(issue.week),
            "dates_text": week_dates(issue.week),
            "is_current": issue.is_current,
        },
        "sponsored": [sponsored_card(listing) for listing in issue.sponsored],
        "listings": listing_cards(
            [standing.listing_id for standing in issue.standings],
            user=request.user,
            ranks=[standing.place for standing in issue.standings],
            award="of the week" if issue.is_final else "",
        ),
        "total": issue.launch_count,
        "updates": [_update(update) for update in issue.updates],
        "is_subscribed": subscriptions.is_subscribed(request.site, request.user),
        "form": form or EmailForm(),
        "past": [
            {"url": f"/newsletter/{week}", "label": week_and_year(week), "is_shown": week == issue.week}
            for week in past_weeks(request.site)
        ],
        **_head(request.site, issue),
    }
    return render(request, "newsletter/issue.html", context, status=422 if form else 200)


def _head(site: Site, issue: Issue) -> dict[str, Any]:
    """Return the page head. Issues have permanent URLs, and empty ones aren't indexed."""
    label = week_and_year(issue.week)
    return {
        "canonical_url": issue.page_url,
        "noindex": issue.is_empty,
        "structured_data": [crumbs(site, ("Newsletter", reverse("newsletter")), (label, issue.path))],
    }


def _update(update: Update) -> dict[str, Any]:
    listing: Listing = update.listing
    return {
        "title": update.title,
        "page_url": f"{listing.path}#update-{update.pk}",
        "company_name": listing.company.name,
        "created_at": update.created_at,
    }


@login_required
@require_POST
def subscribe(request: SiteHttpRequest) -> HttpResponse:
    """Subscribe, or unsubscribe with `leave`. The form states the intended result, so repeating is safe."""
    user = account_of(request)
    if "leave" in request.POST:
        subscriptions.unsubscribe(site_id=request.site.pk, user_id=user.pk)
        messages.success(request, f"Unsubscribed from the {request.site} newsletter")
    else:
        subscriptions.subscribe(site=request.site, by=actor_of(request))
        messages.success(request, f"Subscribed. The next issue goes to {user.email} on Monday.")
    return redirect(next_path(request, reverse("newsletter")))


@csrf_exempt
@require_POST
def subscribe_email(request: SiteHttpRequest) -> HttpResponse:
    """Email a visitor a link that subscribes them.

    Without a CSRF token, which would keep the page with the form from being cached. It acts for no account.
    """
    form = EmailForm(request.POST)
    form.count(LIMIT, request)
    if form.errors:
        return _show(request, issue_of(request.site, current_week()), form=form)
    email = form.cleaned_data["email"]
    subscriptions.ask_to_confirm(site=request.site, email=email)
    return render(request, "newsletter/confirm.html", {"sent_to": email, "email_folder": email_folder()})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: SiteHttpRequest, token: str) -> HttpResponse:
    """Subscribe the address in a link. Only a POST does, because email programs open links in advance."""
    email = subscriptions.asking_email(site=request.site, token=token)
    if email and request.method == "POST":
        subscriptions.confirm(site=request.site, email=email)
        messages.success(request, "Subscribed. The next issue arrives on Monday.")
        return redirect("newsletter")
    response = render(request, "newsletter/confirm.html", {"asking": email}, status=200 if email else 404)
    response["X-Robots-Tag"] = "noindex"
    # The URL acts for its reader, so links on the page must not leak it. With "no-referrer", browsers send the form
    # with the origin null, which is refused.
    response["Referrer-Policy"] = "same-origin"
    return response


def _unsubscribing(site_id: int, *, is_subscribed: bool) -> Unsubscribing:
    site = Site.objects.filter(pk=site_id).first()
    return Unsubscribing(
        title="Newsletter",
        is_subscribed=is_subscribed,
        question=f"Unsubscribe from the {site} newsletter?",
        reason="You get it because you subscribed. You can subscribe again at any time.",
        done=f"You won't get the{f' {site}' if site else ''} newsletter any more.",
        links=[("Read online", site.url(reverse("newsletter")))] if site else [],
    )


UNSUBSCRIBE_PAGE = UnsubscribePage(
    subscriptions.UNSUBSCRIBE_LINK,
    stop=lambda site_id, user_id: subscriptions.unsubscribe(site_id=site_id, user_id=user_id),
    text=lambda site_id, user_id: _unsubscribing(
        site_id, is_subscribed=subscriptions.has_subscription(site_id=site_id, user_id=user_id)
    ),
)
UNSUBSCRIBE_EMAIL_PAGE = UnsubscribePage(
    subscriptions.UNSUBSCRIBE_EMAIL_LINK,
    stop=lambda site_id, row_id: subscriptions.unsubscribe_email(site_id=site_id, subscription_id=row_id),
    text=lambda site_id, row_id: _unsubscribing(
        site_id, is_subscribed=subscriptions.has_email_subscription(site_id=site_id, subscription_id=row_id)
    ),
)
