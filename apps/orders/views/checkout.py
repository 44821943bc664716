"""The checkout page and the test gateway's. They need no sign-in, because the URL contains a secret."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from apps.core.errors import Conflict, DomainError, TooManyRequests
from apps.core.request.client_ip import client_address
from apps.core.web.pages import let_forms_lead_to, private_page
from apps.orders.checkout import guidance, notices, other_launches, reservations
from apps.orders.checkout.billing import Billing, check_code, update_billing
from apps.orders.checkout.other_launches import OtherLaunch
from apps.orders.checkout.terms_of_sale import accepted_terms, latest_terms
from apps.orders.checkout.validation import CannotDeliver, check_deliverable
from apps.orders.models import GatewaySession, Order, Payment
from apps.orders.payments import start
from apps.orders.payments.events import receive_event
from apps.orders.pricing.promos import PromoRefused
from apps.orders.providers import GatewayError, gateway_of
from apps.orders.providers.sandbox import answer
from apps.orders.tax import vat, vies
from apps.orders.views import order_context
from apps.orders.views.checkout_form import CheckoutForm
from apps.sites.requests import SiteHttpRequest

_ANSWERS = {
    "pay": GatewaySession.State.PAID,
    "decline": GatewaySession.State.DECLINED,
    "cancel": GatewaySession.State.CANCELLED,
}


@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def checkout(request: SiteHttpRequest, secret: str) -> HttpResponse:
    """Review an order. POST saves changed billing details and the promo code and shows the new total."""
    order = _order_by_secret(request, secret)
    if order.is_behind_sign_in and not _is_owner(request, order):
        return redirect("order", number=order.number)
    if request.method == "POST":
        return _update(request, order)
    order = start.poll_open_payments(order)
    if not order.is_payable or guidance.paid_elsewhere(order):
        return _show_placed(request, order)
    return _show_checkout(request, order, _form(request, order))


@private_page
@require_POST
def checkout_pay(request: SiteHttpRequest, secret: str) -> HttpResponse:
    """Start paying the total that the page showed, and redirect to the payment page."""
    order = _order_by_secret(request, secret)
    if order.is_behind_sign_in and not _is_owner(request, order):
        return redirect("order", number=order.number)
    form = _form(request, order, is_paying=True)
    if not form.is_valid():
        return _show_checkout(request, order, form, status=422)
    try:
        order = _take_over(request, order, form)
        payment = start.start_payment(
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
    result = get_object_or_404(GatewaySession, reference=session if gateway else None)
    if result.state != GatewaySession.State.OPEN:
        return redirect(result.return_url)
    state = _ANSWERS.get(request.POST.get("action", ""))
    if request.method == "POST" and state:
        decided, body, headers = answer(session, state)
        receive_event("test", body=body, headers=headers)
        return redirect(decided.return_url)
    order = Order.objects.with_everything().filter(number=result.order_number).first()
    context = {
        "number": result.order_number,
        "is_launching": order is not None and order_context.is_launching(order),
        "total_cents": result.amount_cents,
        "currency": result.currency.upper(),
        "lines": [],
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "orders/test_gateway.html", {"session": session, "order": context}, status=status)


def _order_by_secret(request: SiteHttpRequest, secret: str) -> Order:
    orders = Order.objects.filter(site=request.site).with_everything()
    result: Order = get_object_or_404(orders, secret=secret)
    return result


def _is_owner(request: SiteHttpRequest, order: Order) -> bool:
    return request.user.is_authenticated and request.user.pk == order.account_id


def _form(request: SiteHttpRequest, order: Order, *, is_paying: bool = False) -> CheckoutForm:
    return CheckoutForm(
        request.POST if request.method == "POST" else None,
        order=order,
        methods=start.methods_for(order),
        is_owner=_is_owner(request, order),
        is_paying=is_paying,
    )


def _update(request: SiteHttpRequest, order: Order) -> HttpResponse:
    form = _form(request, order)
    if not form.is_valid():
        return _show_checkout(request, order, form, status=422)
    try:
        order = _take_over(request, order, form)
    except DomainError as error:
        return _show_refusal(request, order, form, error)
    return redirect("checkout", secret=order.secret)


def _take_over(request: SiteHttpRequest, order: Order, form: CheckoutForm) -> Order:
    """Save the form. Everything that can be refused is checked before an open payment is closed for it."""
    address = client_address(request)
    terms = accepted_terms(order.site, shown=request.POST.get("terms_version", "")) if form.is_paying else None
    promo_code = _promo_code(request, order, form)
    check_code(order=order, promo_code=promo_code, address=address)
    country, typed = form.cleaned_data.get("country", ""), form.cleaned_data.get("vat_number", "")
    check = vies.check_number(typed, country=country, seller=vat.Seller.from_json(order.seller))
    order = start.close_open_payments(order)
    return update_billing(
        order=order,
        billing=_billing(request, order, form),
        vat_number=typed,
        number_check=check,
        promo_code=promo_code,
        address=address,
        terms=terms,
    )


def _promo_code(request: SiteHttpRequest, order: Order, form: CheckoutForm) -> str:
    """Return the typed code. The script that recomputes the total omits it, so that the order's code stays."""
    is_sent = "promo_code" in request.POST
    typed: str = form.cleaned_data.get("promo_code", "") if is_sent else order.promo_code
    return typed


def _billing(request: SiteHttpRequest, order: Order, form: CheckoutForm) -> Billing:
    names = ("name", "company", "address", "postal_code", "city", "country", "email")
    values = {name: form.cleaned_data.get(name, "") for name in names}
    if not values["email"] and not _is_owner(request, order):
        # They can't see the stored address, so leaving it empty keeps it.
        values["email"] = order.billing.get("email", "")
    return Billing(**values)


def _shown_cents(request: HttpRequest) -> int:
    text = request.POST.get("total_cents", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1


def _show_refusal(request: SiteHttpRequest, order: Order, form: CheckoutForm, error: DomainError) -> HttpResponse:
    """Show the page again with the problem. An order that is over shows its present state."""
    order = _order_by_secret(request, order.secret)
    if isinstance(error, PromoRefused | TooManyRequests):
        form.add_error("promo_code", error.detail)
    elif isinstance(error, GatewayError | Conflict) or error.status >= 500:
        form.add_error(None, error.detail)
    else:
        form.add_error("method", error.detail)
    if guidance.paid_elsewhere(order):
        return _show_placed(request, order, status=error.status)
    if not order.is_payable:
        messages.error(request, error.detail)
        return _show_placed(request, order, status=error.status)
    response = _show_checkout(request, order, form, status=error.status)
    if error.retry_after:
        response["Retry-After"] = str(error.retry_after)
    return response


def _show_checkout(request: SiteHttpRequest, order: Order, form: CheckoutForm, *, status: int = 200) -> HttpResponse:
    methods = start.methods_for(order)
    state = {
        "secret": order.secret,
        "price_guarantee_text": guidance.price_guarantee_text(order),
        "vat_answer": order_context.number_answer(order),
        "is_launching": order_context.is_launching(order),
    }
    context = {
        "order": order_context.totals(order) | state,
        "form": form,
        "methods": [{"key": gateway.key, "title": gateway.title, "note": gateway.note} for gateway in methods],
        "selected_method": form["method"].value(),
        "is_test": bool(methods) and all(gateway.is_test for gateway in methods),
        "is_owner": _is_owner(request, order),
        "has_spots": reservations.reserves_spots(order),
        "notices": _notices(request, order, is_first_view=status == 200),
        "terms": latest_terms(order.site),
    }
    page = render(request, "orders/checkout.html", context, status=status)
    return let_forms_lead_to(page, (origin for gateway in methods for origin in gateway.page_origins()))


def _notices(request: SiteHttpRequest, order: Order, *, is_first_view: bool) -> list[dict[str, str]]:
    """Return what to know before paying: the result of the last payment, and what can no longer be delivered."""
    result = [notice for notice in [_notice_of_payment(order)] if notice]
    result += [_notice_of_other(other) for other in other_launches.of_order(order)]
    result += [
        {"kind": "warn", "text": text, **_other_weeks(request, order)}
        for text in notices.running_week_notices_of(order)
    ]
    if is_first_view:
        try:
            check_deliverable(order)
        except CannotDeliver as error:
            text = f"{error.detail} This order can't be paid anymore. Start a new one."
            result.append({"kind": "bad", "text": text})
    return result


def _notice_of_other(other: OtherLaunch) -> dict[str, str]:
    url_text = "Cancel the other one" if other.state == other_launches.State.OPEN else "Open the other one"
    return {"kind": "warn", "text": other.sentence, "url": other.url, "url_text": url_text}


def _other_weeks(request: SiteHttpRequest, order: Order) -> dict[str, str]:
    """Choose another week. Not for people signed in to another account."""
    listing_id = notices.listing_for_running_week(order)
    if listing_id is None or (request.user.is_authenticated and not _is_owner(request, order)):
        return {}
    return {"url": reverse("buy", args=[listing_id]), "url_text": "Choose another week"}


def _notice_of_payment(order: Order) -> dict[str, str] | None:
    last = order.payments.order_by("-attempt").first()
    if last is None:
        return None
    if last.status in Payment.UNSETTLED:
        text = (
            "You started a payment but didn't finish it. Continue it, or pay here with any method. Paying here closes "
            "the first payment, so you're never charged twice."
        )
        return {"kind": "warn", "text": text, "url": last.pay_url, "url_text": "Continue payment"}
    # One that was closed for a change of mind has no problem, and needs no words.
    if last.status == Payment.Status.FAILED and last.problem:
        text = f"The last payment didn't go through. {last.problem} You weren't charged. Try again, or pay another way."
        return {"kind": "warn", "text": text}
    return None


def _show_placed(request: SiteHttpRequest, order: Order, *, status: int = 200) -> HttpResponse:
    is_owner = _is_owner(request, order)
    if status == 200 and is_owner:
        return redirect("order", number=order.number)
    context: dict[str, Any] = order_context.placed(order, is_owner=is_owner)
    return render(request, "orders/order.html", context, status=status)
