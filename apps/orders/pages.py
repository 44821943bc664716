"""Checkout and order pages. The checkout page needs no sign-in: the secret in its address is the key."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.requests import account_of
from apps.core.clients import client_address
from apps.core.countries import COUNTRIES
from apps.core.errors import Conflict, DomainError, TooManyRequests
from apps.core.page_numbers import page_object, page_rows
from apps.core.problems import describe
from apps.orders import paying, services, vat, vies
from apps.orders.forms import CheckoutForm
from apps.orders.models import GatewaySession, Order, OrderLine, Payment
from apps.orders.option_text import describe_options
from apps.orders.payments import GatewayError, gateway_of
from apps.orders.payments.test_gateway import answer
from apps.orders.private_pages import private_page
from apps.orders.promos import PromoRefused
from apps.orders.quoting import Wish
from apps.orders.services import Billing
from apps.orders.settlement import receive_event
from apps.sites.requests import SiteHttpRequest

_ANSWERS = {
    "pay": GatewaySession.State.PAID,
    "decline": GatewaySession.State.DECLINED,
    "cancel": GatewaySession.State.CANCELLED,
}


@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def checkout(request: SiteHttpRequest, secret: str) -> HttpResponse:
    """Review an order; POST takes over changed billing details and the promo code and shows the new total."""
    order = _order_by_secret(request, secret)
    if request.method == "POST":
        return _update(request, order)
    order = paying.poll_open_payments(order)
    if not order.is_payable:
        return _show_placed(request, order)
    return _show_checkout(request, order, CheckoutForm(order=order, methods=paying.methods_for(order)))


@private_page
@require_POST
def checkout_pay(request: SiteHttpRequest, secret: str) -> HttpResponse:
    """Start paying the total that the page showed, and send the person to where it is paid."""
    order = _order_by_secret(request, secret)
    form = CheckoutForm(request.POST, order=order, methods=paying.methods_for(order), is_paying=True)
    if not form.is_valid():
        return _show_checkout(request, order, form, status=422)
    try:
        order = paying.close_open_payments(order)
        order = _take_over(request, order, form)
        payment = paying.start_payment(
            order=order,
            method=form.cleaned_data["method"],
            shown_cents=_shown_cents(request),
            return_url=request.build_absolute_uri(reverse("checkout", args=[secret])),
            ip_address=client_address(request),
        )
    except DomainError as error:
        return _show_refusal(request, order, form, error)
    return redirect(payment.pay_url)


@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def test_gateway(request: SiteHttpRequest, session: str) -> HttpResponse:
    """The test gateway's own page, where a person plays the provider. No money moves."""
    gateway = gateway_of("test")
    found = get_object_or_404(GatewaySession, reference=session if gateway else None)
    if found.state != GatewaySession.State.OPEN:
        return redirect(found.return_url)
    state = _ANSWERS.get(request.POST.get("action", ""))
    if request.method == "POST" and state:
        decided, body, headers = answer(session, state)
        receive_event("test", body=body, headers=headers)
        return redirect(decided.return_url)
    shown = {
        "number": found.order_number,
        "total_cents": found.amount_cents,
        "currency": found.currency.upper(),
        "lines": [],
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "orders/test_gateway.html", {"session": session, "order": shown}, status=status)


@csrf_exempt
@require_POST
def webhook(request: HttpRequest, provider: str) -> HttpResponse:
    """A provider's message. Its signature is over the raw body, so that nothing is read from it before."""
    try:
        receive_event(provider, body=request.body, headers=request.headers)
    except DomainError as error:
        return describe(error, request)
    return HttpResponse(status=204)


@never_cache
@login_required
@require_safe
def orders(request: SiteHttpRequest) -> HttpResponse:
    """The account's orders, newest first."""
    own = Order.objects.visible_to(account_of(request)).order_by("-created_at", "-pk")
    page = page_object(request, total=own.count(), per_page=20)
    return render(request, "orders/list.html", {"orders": page_rows(own, page), "page_obj": page})


@login_required
@require_POST
def buy_launch(request: SiteHttpRequest, listing_id: int) -> HttpResponse:
    """Build an order for a launch of one of the account's listings, at once or in a week, and go to its checkout."""
    week = request.POST.get("week") or "now"
    wish = Wish(items=[{"product": "launch", "listing_id": listing_id, "week": week}])
    try:
        built, _ = services.create_order(
            wish, site=request.site, by=account_of(request), address=client_address(request)
        )
    except DomainError as error:
        messages.error(request, error.detail)
        return redirect("dashboard")
    return redirect("checkout", secret=built.secret)


@never_cache
@login_required
@require_safe
def order(request: SiteHttpRequest, number: str) -> HttpResponse:
    """One of the account's own orders."""
    own = Order.objects.visible_to(account_of(request)).with_details()
    found = get_object_or_404(own, number=number)
    return render(request, "orders/order.html", _placed_context(found))


def _order_by_secret(request: SiteHttpRequest, secret: str) -> Order:
    orders = Order.objects.filter(site=request.site).with_details()
    found: Order = get_object_or_404(orders, secret=secret)
    return found


def _update(request: SiteHttpRequest, order: Order) -> HttpResponse:
    form = CheckoutForm(request.POST, order=order, methods=paying.methods_for(order))
    if not form.is_valid():
        return _show_checkout(request, order, form, status=422)
    try:
        order = paying.close_open_payments(order)
        order = _take_over(request, order, form)
    except DomainError as error:
        return _show_refusal(request, order, form, error)
    return redirect("checkout", secret=order.secret)


def _take_over(request: SiteHttpRequest, order: Order, form: CheckoutForm) -> Order:
    values = form.cleaned_data
    country, typed = values.get("country", ""), values.get("vat_number", "")
    check = vies.check_number(typed, country=country, seller=vat.Seller.from_json(order.seller))
    names = ("name", "company", "address", "postal_code", "city", "country")
    return services.update_billing(
        order=order,
        billing=Billing(**{name: values.get(name, "") for name in names}),
        vat_number=typed,
        number_check=check,
        promo_code=values.get("promo_code", ""),
        address=client_address(request),
    )


def _shown_cents(request: HttpRequest) -> int:
    text = request.POST.get("total_cents", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1


def _show_refusal(request: SiteHttpRequest, order: Order, form: CheckoutForm, error: DomainError) -> HttpResponse:
    """The page again, saying what was wrong; an order that is over shows as it stands now."""
    order = _order_by_secret(request, order.secret)
    if isinstance(error, PromoRefused | TooManyRequests):
        form.add_error("promo_code", error.detail)
    elif isinstance(error, GatewayError | Conflict) or error.status >= 500:
        form.add_error(None, error.detail)
    else:
        form.add_error("method", error.detail)
    if not order.is_payable:
        messages.error(request, error.detail)
        return _show_placed(request, order, status=error.status)
    response = _show_checkout(request, order, form, status=error.status)
    if error.retry_after:
        response["Retry-After"] = str(error.retry_after)
    return response


def _show_checkout(request: SiteHttpRequest, order: Order, form: CheckoutForm, *, status: int = 200) -> HttpResponse:
    methods = paying.methods_for(order)
    notices = []
    if order.status == Order.Status.PROCESSING:
        notices.append("A payment of this order was begun and is not finished. Paying now closes it.")
    context = {
        "order": _totals(order) | {"secret": order.secret, "expires_at": order.expires_at},
        "form": form,
        "methods": [{"key": gateway.key, "title": gateway.title, "note": gateway.note} for gateway in methods],
        "selected_method": form["method"].value(),
        "is_test": any(gateway.is_test for gateway in methods),
        "notices": notices,
    }
    return render(request, "orders/checkout.html", context, status=status)


def _show_placed(request: SiteHttpRequest, order: Order, *, status: int = 200) -> HttpResponse:
    if status == 200 and request.user.is_authenticated and request.user.pk == order.account_id:
        return redirect("order", number=order.number)
    return render(request, "orders/order.html", _placed_context(order), status=status)


def _placed_context(order: Order) -> dict[str, Any]:
    shown = _totals(order) | {
        "status": order.status,
        "created_at": order.created_at,
        "paid_at": order.paid_at,
        "checkout_url": order.checkout_url if order.is_payable else None,
        "receipt": _receipt(order) if order.paid_at else None,
    }
    return {"order": shown, "is_test": order.payments.filter(status=Payment.Status.PAID, is_test=True).exists()}


def _receipt(order: Order) -> dict[str, Any]:
    seller, billing = order.seller, order.billing
    names = [billing.get("name"), billing.get("company"), billing.get("address")]
    town = f"{order.postal_code} {billing.get('city', '')}".strip()
    buyer = [*names, town, COUNTRIES.get(order.country), _vat_number(order.vat_number)]
    sold_by = [
        seller["legal_name"] or order.site.name,
        *seller["address"].splitlines(),
        _vat_number(seller["vat_number"]),
    ]
    return {
        "number": order.number,
        "issued_at": order.paid_at,
        "seller": [line for line in sold_by if line],
        "buyer": [line for line in buyer if line],
        "url": None,
    }


def _vat_number(number: str) -> str:
    return f"VAT number {number}" if number else ""


def _totals(order: Order) -> dict[str, Any]:
    vat_line = None
    if order.vat_cents is not None:
        vat_line = {
            "country": order.country,
            "rate_text": vat.rate_text(order.vat_rate),
            "amount_cents": order.vat_cents,
            "treatment": order.vat_treatment,
            "note": " ".join(order.notices),
        }
    return {
        "number": order.number,
        "lines": [_line(line) for line in order.lines.all()],
        "subtotal_cents": order.subtotal_cents,
        "discount_cents": order.discount_cents,
        "promo_code": order.promo_code,
        "vat": vat_line,
        "total_cents": order.total_cents,
        "currency": order.currency.upper(),
    }


def _line(line: OrderLine) -> dict[str, Any]:
    return {
        "title": line.title,
        "listing_name": line.listing_name,
        "option_text": describe_options(line.options),
        "quantity": line.quantity,
        # The page takes the discount off below the lines, so that they show their price before it.
        "net_cents": line.net_cents + line.discount_cents,
        "vat_cents": line.vat_cents,
        "total_cents": line.total_cents,
        "state": line.status if line.order.status not in Order.PAYABLE else "",
    }
