"""The owner's page about reviews: links and codes for customers, and the domains of customers."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import actor_of
from apps.accounts.crowds import network_mark
from apps.core.errors import DomainError
from apps.core.request.client_ip import client_neighborhood
from apps.listings.models import Listing
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.reviews.forms import DomainForm, LinkForm
from apps.reviews.models import ReviewLink
from apps.reviews.reading import read_page
from apps.reviews.section import summary
from apps.reviews.services import links
from apps.reviews.services.proof import code_text, token_of, why_not_usable
from apps.sites.requests import SiteHttpRequest

_form_methods = require_http_methods(["GET", "HEAD", "POST"])


@login_required
@require_safe
def listing_reviews(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show the newest reviews, the review links and the customer domains."""
    listing = own_listing(request, slug)
    if not is_open(listing, "listing_reviews"):
        return to_overview(listing)
    return _page(request, listing, LinkForm(), DomainForm())


@login_required
@require_POST
def new_review_link(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Create a review link."""
    listing = own_listing(request, slug)
    form = LinkForm(request.POST)
    values = {name: request.POST.get(name, "") for name in form.fields}
    network = network_mark(client_neighborhood(request))
    try:
        links.create_link(listing=listing, **values, network=network, by=actor_of(request))
    except DomainError as refusal:
        form.refuse(refusal)
        return _page(request, listing, form, DomainForm(), status=refusal.status)
    messages.success(request, "Review link created")
    return redirect("listing_reviews", slug=slug)


@login_required
@require_POST
def revoke_review_link(request: SiteHttpRequest, slug: str, link_id: int) -> HttpResponse:
    """Revoke a review link. A second request does nothing."""
    listing = own_listing(request, slug)
    link = get_object_or_404(listing.review_links.select_related("listing"), pk=link_id)
    links.revoke_link(link=link, by=actor_of(request))
    messages.success(request, "Review link revoked")
    return redirect("listing_reviews", slug=slug)


@login_required
@require_POST
def add_customer_domain(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Add the email domain of a customer."""
    listing = own_listing(request, slug)
    form = DomainForm(request.POST)
    try:
        added = links.add_domain(listing=listing, domain=request.POST.get("domain", ""), by=actor_of(request))
    except DomainError as refusal:
        form.refuse(refusal)
        return _page(request, listing, LinkForm(), form, status=refusal.status)
    messages.success(request, f"“{added.domain}” added")
    return redirect("listing_reviews", slug=slug)


@login_required
@require_POST
def remove_customer_domain(request: SiteHttpRequest, slug: str, domain_id: int) -> HttpResponse:
    """Remove the email domain of a customer. A second request finds none."""
    listing = own_listing(request, slug)
    domain = get_object_or_404(listing.customer_domains.select_related("listing"), pk=domain_id)
    links.remove_domain(domain=domain, by=actor_of(request))
    messages.success(request, f"“{domain.domain}” removed")
    return redirect("listing_reviews", slug=slug)


def _page(
    request: SiteHttpRequest, listing: Listing, link_form: LinkForm, domain_form: DomainForm, *, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {
        "listing": head(listing, current="listing_reviews"),
        "reviews": {**summary(listing, request.user), "page": read_page(listing, reader=request.user)},
        "links": [_row(listing, link) for link in listing.review_links.all()[: links.MAX_LINKS]],
        "domains": listing.customer_domains.all(),
        "link_form": link_form,
        "domain_form": domain_form,
        "now": timezone.now(),
    }
    return render(request, "reviews/owner/reviews.html", context, status=status)


def _row(listing: Listing, link: ReviewLink) -> dict[str, Any]:
    """Return a link with its number of uses. Who used it isn't shown."""
    path = f"{listing.path}/reviews/new?{urlencode({'code': token_of(link)})}"
    return {
        "id": link.pk,
        "label": str(link),
        "url": listing.site.url(path),
        "code": code_text(link),
        "uses": link.uses,
        "max_uses": link.max_uses,
        "expires_at": link.expires_at,
        "problem": why_not_usable(link),
    }
