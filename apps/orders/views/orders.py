"""An owner's orders in the browser, and the site's terms."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.actors import actor_of
from apps.core.web.page_numbers import page_object, page_rows
from apps.core.web.pages import reporting
from apps.orders.checkout import guidance
from apps.orders.checkout.own_orders import list_my_orders
from apps.orders.checkout.terms_of_sale import latest_terms
from apps.orders.models import Order
from apps.orders.payments import start
from apps.orders.payments.cancel import cancel_order
from apps.orders.views import order_context
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.structured_data import crumbs


@never_cache
@login_required
@require_safe
def orders(request: SiteHttpRequest) -> HttpResponse:
    """The account's orders, newest first."""
    own = list_my_orders(by=actor_of(request))
    page = page_object(request, total=own.count(), per_page=20)
    rows = [
        {
            "number": order.number,
            "status": "in_review" if order.needs_review else order.status,
            "total_cents": order.total_cents,
            "created_at": order.created_at,
            "checkout_url": guidance.open_checkout_url(order),
            "text": order_context.heading(order),
            "site_name": "" if order.site_id == request.site.pk else order.site.name,
        }
        for order in page_rows(own, page)
    ]
    return render(request, "orders/list.html", {"orders": rows, "page_obj": page})


@never_cache
@login_required
@require_safe
def order(request: SiteHttpRequest, number: str) -> HttpResponse:
    """Show one of the account's own orders. A pending payment is polled first."""
    result = start.poll_open_payments(_own(request, number))
    if request.headers.get("HX-Request") == "true" and not order_context.is_in_progress(result):
        # The last step of a launch is a page of its own.
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    return render(request, "orders/order.html", order_context.placed(result, is_owner=True))


@login_required
@require_POST
def cancel(request: SiteHttpRequest, number: str) -> HttpResponse:
    """Cancel an unpaid order."""
    with reporting(request, "Order canceled"):
        cancel_order(order=_own(request, number), by=actor_of(request))
    return redirect("order", number=number)


@require_safe
def terms(request: SiteHttpRequest) -> HttpResponse:
    """The terms of sale of the site, in their latest version."""
    result = latest_terms(request.site)
    if result is None:
        raise Http404
    paragraphs = [block.strip() for block in result.text.replace("\r\n", "\n").split("\n\n") if block.strip()]
    context = {
        "terms": result,
        "paragraphs": paragraphs,
        "canonical_url": request.site.url(reverse("terms_of_sale")),
        "structured_data": [
            crumbs(request.site, ("Terms of use", reverse("terms")), ("Terms of sale", reverse("terms_of_sale")))
        ],
    }
    return render(request, "orders/terms.html", context)


def _own(request: SiteHttpRequest, number: str) -> Order:
    result: Order = get_object_or_404(list_my_orders(by=actor_of(request)), number=number)
    return result
