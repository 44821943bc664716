"""Claim a website in the browser: name it, publish a token, have it checked."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import account_of, actor_of
from apps.core.errors import DomainError
from apps.core.web.forms import WebsiteField
from apps.core.web.page_numbers import page_object, page_rows
from apps.listings.claims import services
from apps.listings.claims.checks import GAP
from apps.listings.claims.proofs import ways_to_prove
from apps.listings.models import Claim
from apps.sites.requests import SiteHttpRequest

# A check takes at most half of this, when every place times out.
CHECK_SECONDS = 60


class WebsiteForm(forms.Form):
    """The website to claim."""

    url = WebsiteField(help_text="The website of the listing, such as https://example.com.")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SiteHttpRequest) -> HttpResponse:
    """Ask for the website and open a claim. The account's other claims are listed below."""
    form = WebsiteForm(request.POST or None, initial={"url": request.GET.get("url", "")[:2000]})
    status, is_not_listed = 200, False
    if request.method == "POST" and form.is_valid():
        try:
            claim = services.claim_website(site=request.site, url=form.cleaned_data["url"], by=actor_of(request))
        except DomainError as error:
            form.add_error("url" if error.errors else None, error.detail)
            status, is_not_listed = error.status, isinstance(error, services.NotListed)
        else:
            return redirect("claim", pk=claim.pk)
    elif form.is_bound:
        status = 422
    own = Claim.objects.visible_to(account_of(request)).order_by("-pk")
    page = page_object(request, total=own.count(), per_page=20)
    context = {"form": form, "is_not_listed": is_not_listed, "claims": page_rows(own, page), "page_obj": page}
    return render(request, "listings/claims/new.html", context, status=status)


@login_required
@require_safe
def detail(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Show the ways to prove a claim and the last result. htmx polls it during a check."""
    claim = _own(request, pk)
    asked_at = _asked_at(request)
    is_checking = (
        asked_at is not None
        and claim.status == Claim.Status.OPEN
        and (claim.checked_at is None or claim.checked_at < asked_at)
        and timezone.now() < asked_at + timedelta(seconds=CHECK_SECONDS)
    )
    if request.headers.get("HX-Request") == "true" and not is_checking:
        # A result changes the whole page, not only the polled part.
        return HttpResponse(status=204, headers={"HX-Redirect": reverse("claim", args=[pk])})
    context = {"claim": _shown(claim), "ways": ways_to_prove(claim), "is_checking": is_checking}
    return render(request, "listings/claims/detail.html", context)


@login_required
@require_POST
def check(request: SiteHttpRequest, pk: int) -> HttpResponse:
    """Check for the token now."""
    claim = _own(request, pk)
    asked_at = timezone.now()
    try:
        services.check_claim(claim=claim)
    except DomainError as error:
        messages.error(request, error.detail)
        return redirect("claim", pk=pk)
    return redirect(f"{reverse('claim', args=[pk])}?asked={int(asked_at.timestamp())}")


def _own(request: SiteHttpRequest, pk: int) -> Claim:
    own = Claim.objects.visible_to(account_of(request)).select_related("company", "site")
    return get_object_or_404(own, pk=pk)


def _asked_at(request: HttpRequest) -> datetime | None:
    raw = request.GET.get("asked", "")
    if not (raw.isascii() and raw.isdigit() and len(raw) <= 11):
        return None
    return datetime.fromtimestamp(int(raw), tz=timezone.get_default_timezone())


def _shown(claim: Claim) -> dict[str, Any]:
    is_open = claim.status == Claim.Status.OPEN
    is_own = claim.company.owner_id == claim.claimant_id
    return {
        "id": claim.pk,
        "website": claim.website,
        "status": claim.status,
        "method": claim.get_method_display(),
        "result": claim.result,
        "checked_at": claim.checked_at,
        "ended_at": claim.ended_at,
        "ends_at": claim.ends_at,
        "next_at": (claim.checked_at or claim.created_at) + GAP if is_open else None,
        "is_own": is_own,
        "is_contested": is_open and not is_own and claim.company.verified_at is not None,
    }
