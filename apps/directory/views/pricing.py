"""The public pricing page: free launch, paid launch, and everything else the site sells."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.core.text.dates import week_text
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.closing import RunningWeek, queue_promise, running_week
from apps.orders.models import Product, SellerSettings
from apps.orders.models.catalog import LAUNCH
from apps.orders.products.amount import price_text
from apps.orders.products.base import Offer
from apps.orders.products.catalog import list_products
from apps.orders.products.registry import kind_of
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs


@require_safe
def pricing(request: SiteHttpRequest) -> HttpResponse:
    """Show every product on sale with its price, capacity and next open week."""
    products, offers = list_products(request.site)
    promise = queue_promise(request.site)
    running = running_week(request.site)
    others = [product for product in products if product.name != LAUNCH]
    context = {
        "free": _plan(promise.free),
        "paid": _plan(promise.paid),
        "is_paid_sold": len(others) < len(products),
        "queue_weeks": request.site.free_queue_weeks,
        "weekly": [_shown(one, offers[one.name], running) for one in others if one.unit == Product.Unit.WEEK],
        "once": [_shown(one, offers[one.name], running) for one in others if one.unit == Product.Unit.ONCE],
        "has_vat": SellerSettings.objects.filter(site=request.site, is_vat_registered=True).exists(),
        "canonical_url": request.site.url(reverse("pricing")),
        "structured_data": [crumbs(request.site, ("Pricing", reverse("pricing")))],
    }
    return render(request, "directory/pricing.html", context)


def _shown(product: Product, offer: Offer, running: RunningWeek) -> dict[str, Any]:
    is_weekly = product.unit == Product.Unit.WEEK
    passed = {str(running.week)} if running.is_closing and kind_of(product.name).is_cut_short else set()
    return {
        "name": product.name,
        "title": product.title,
        "description": product.description,
        "price_text": price_text(product),
        "capacity": product.capacity,
        "is_by_category": bool(offer.categories),
        "min_weeks": product.min_weeks,
        "is_weekly": is_weekly,
        "next_week": week_text(next((week for week in offer.weeks if week not in passed), None)) if is_weekly else "",
    }


def _plan(offer: launch_weeks.Offer | None) -> dict[str, Any] | None:
    if offer is None:
        return None
    return {"text": week_text(offer.week), "left": offer.places_left}
