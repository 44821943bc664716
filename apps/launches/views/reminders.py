"""Asking for an email when a listing launches."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.actors import actor_of
from apps.core.email.filebased import email_folder
from apps.core.stores.valkey.counters import Limit
from apps.core.web.forms import EmailForm
from apps.launches.services import reminders
from apps.listings.models import Listing
from apps.sites.requests import SiteHttpRequest

# Emails an hour that one address may have us send to strangers.
LIMIT = Limit("reminders", 10, 3600, events="addresses")


def coming_soon(request: SiteHttpRequest, listing: Listing, *, form: EmailForm | None = None) -> HttpResponse:
    """Show a listing before its launch, with the form for an email at the launch."""
    state = {
        "name": listing.company.name,
        "slug": listing.slug,
        "headline": listing.headline,
        "logo_key": listing.company.logo_key,
        "id": listing.pk,
        "week": listing.week,
    }
    context = {
        "listing": state,
        "form": form or EmailForm(),
        "is_reminded": reminders.is_reminded(listing, request.user),
        "weeks_url": reverse("weeks"),
    }
    return render(request, "launches/coming_soon.html", context, status=422 if form else 200)


@login_required
@require_POST
def remind(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Remind the account, or not, with `leave`. The form states the intended result, so repeating is safe."""
    listing = _upcoming(request, slug)
    by = actor_of(request)
    if "leave" in request.POST:
        reminders.cancel(listing=listing, by=by)
        messages.success(request, "You won't get an email at the launch.")
    else:
        reminders.remind(listing=listing, by=by)
        messages.success(request, f"We'll email {by.account.email} when {listing.company.name} launches.")
    return redirect(listing.path)


@csrf_exempt
@require_POST
def remind_email(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Email a visitor a link that asks for the reminder.

    Without a CSRF token, which would keep the page with the form from being cached. It acts for no account.
    """
    listing = _upcoming(request, slug)
    form = EmailForm(request.POST)
    form.count(LIMIT, request)
    if form.errors:
        return coming_soon(request, listing, form=form)
    email = form.cleaned_data["email"]
    reminders.ask_to_confirm(listing=listing, email=email)
    context = {"listing": listing, "sent_to": email, "email_folder": email_folder()}
    return render(request, "launches/reminder.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_reminder(request: SiteHttpRequest, token: str) -> HttpResponse:
    """Remind the address in a link. Only a POST does, because email programs open links in advance."""
    listing_id, email = reminders.asked_by(token) or (0, "")
    result = Listing.objects.upcoming().filter(site=request.site, pk=listing_id).select_related("company", "site")
    listing = result.first()
    if listing and request.method == "POST":
        reminders.confirm(listing=listing, email=email)
        messages.success(request, f"We'll email you when {listing.company.name} launches.")
        return redirect(listing.path)
    context = {"listing": listing, "asking": email}
    response = render(request, "launches/reminder.html", context, status=200 if listing else 404)
    response["X-Robots-Tag"] = "noindex"
    # The URL acts for its reader, so links on the page must not leak it. With "no-referrer", browsers send the form
    # with the origin null, which is refused.
    response["Referrer-Policy"] = "same-origin"
    return response


def _upcoming(request: SiteHttpRequest, slug: str) -> Listing:
    upcoming = Listing.objects.upcoming().filter(site=request.site, merged_into=None)
    return get_object_or_404(upcoming.select_related("company", "site"), slug=slug)
