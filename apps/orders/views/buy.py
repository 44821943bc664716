"""The page where an owner chooses products for a listing and sees prices, without JavaScript."""

from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.actors import account_of, actor_of
from apps.core.errors import DomainError
from apps.core.request.client_ip import client_address
from apps.listings.models import Listing
from apps.listings.owner_pages import head
from apps.orders.checkout.create import create_checkout
from apps.orders.checkout.quote import CURRENCY, Quote, QuoteRequest, quote_order
from apps.orders.models import Product
from apps.orders.products.registry import option_text
from apps.orders.views.buy_form import BuyForm
from apps.sites.requests import SiteHttpRequest


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def buy(request: SiteHttpRequest, listing_id: int) -> HttpResponse:
    """Choose products for a listing. POST shows the price, or creates the order and redirects to its checkout."""
    listing = _own(request, listing_id)
    products = list(Product.objects.on_sale(request.site).filter(needs_listing=True))
    form = BuyForm(request.POST if request.method == "POST" else None, listing=listing, products=products)
    priced: Quote | None = None
    refusal: DomainError | None = None
    options: dict[str, Any] = {"site": request.site, "by": actor_of(request), "address": client_address(request)}
    if request.method == "POST" and form.is_valid():
        quote_request = QuoteRequest(items=form.items())
        try:
            if request.POST.get("action") == "checkout":
                built, _ = create_checkout(quote_request, **options)
                return redirect("checkout", secret=built.secret)
            priced = quote_order(quote_request, **options)
        except DomainError as error:
            refusal = error
            form.add_problems(error)
    if form.errors and (items := form.complete_items()):
        # What is complete has a price, beside what the rest lacks.
        with suppress(DomainError):
            priced = quote_order(QuoteRequest(items=items), **options)
    offers = form.offers()
    placements = [offer for offer in offers if offer.weeks]
    context = {
        "head": head(listing, current="buy"),
        "listing": listing,
        "form": form,
        "problems": form.problem_texts(),
        "offers": offers,
        "placements": placements,
        "calendar": form.calendar(placements),
        "order": _shown(priced) if priced else None,
    }
    status = refusal.status if refusal else 422 if form.errors else 200
    # The live total is only asked, and htmx shows no answer that failed.
    if request.headers.get("HX-Request"):
        status = 200
    return render(request, "orders/buy.html", context, status=status)


@login_required
@require_POST
def buy_launch(request: SiteHttpRequest, listing_id: int) -> HttpResponse:
    """Create an order for a launch of one of the account's listings, now or in a week, and redirect to its checkout."""
    listing = _own(request, listing_id)
    chosen = {"week": week} if (week := request.POST.get("week")) else {}
    quote_request = QuoteRequest(items=[{"product": "launch", "listing_id": listing_id, **chosen}])
    try:
        built, _ = create_checkout(
            quote_request, site=request.site, by=actor_of(request), address=client_address(request)
        )
    except DomainError as error:
        messages.error(request, error.errors[0].detail if error.errors else error.detail)
        return redirect("launch", slug=listing.slug)
    return redirect("checkout", secret=built.secret)


def _own(request: SiteHttpRequest, listing_id: int) -> Listing:
    own = Listing.objects.visible_to(account_of(request)).for_owner()
    return get_object_or_404(own, site=request.site, pk=listing_id, merged_into=None)


def _shown(priced: Quote) -> dict[str, Any]:
    totals = priced.totals
    return {
        "notices": priced.cart_notices,
        "lines": [
            {
                "title": item.title,
                "option_text": option_text(item.product.name, item.options, site_id=item.product.site_id),
                "quantity": item.quantity,
                "unit_price_cents": item.unit_price_cents,
                "net_cents": line.net_cents + line.discount_cents,
            }
            for item, line in priced.lines()
        ],
        "subtotal_cents": totals.subtotal_cents,
        "discount_cents": totals.discount_cents,
        "net_cents": totals.net_cents,
        "total_cents": totals.total_cents,
        "currency": CURRENCY.upper(),
    }
