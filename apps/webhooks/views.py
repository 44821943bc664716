"""Pages for webhook endpoints and their log. A secret is shown once."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.actors import account_of
from apps.accounts.api_keys.views import asks_again
from apps.core.errors import DomainError
from apps.core.web.page_numbers import page_object, page_rows
from apps.core.web.pages import reporting
from apps.sites.requests import SiteHttpRequest
from apps.webhooks import services
from apps.webhooks.delivery import queueing
from apps.webhooks.delivery.sending import describe
from apps.webhooks.forms import EndpointForm, NewEndpointForm, RedeliverForm, values_of
from apps.webhooks.models import Delivery, Endpoint

PER_PAGE = 25


@never_cache
@login_required
@require_safe
def webhook_endpoints(request: SiteHttpRequest) -> HttpResponse:
    """List the account's endpoints."""
    endpoints = services.list_webhook_endpoints(account=account_of(request))
    context = {"endpoints": endpoints, "most": services.MAX_ENDPOINTS}
    return render(request, "webhooks/endpoints.html", context)


@never_cache
@login_required
@asks_again
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_endpoint_new(request: SiteHttpRequest) -> HttpResponse:
    """Create an endpoint after confirming the password or a passkey. The response shows its secret."""
    form = NewEndpointForm(request.POST if request.method == "POST" else None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        sent = form.cleaned_data
        try:
            endpoint, secret = services.create_webhook_endpoint(
                account=account_of(request),
                url=sent["url"],
                types=sent["types"],
                format_=sent["format"],
                signature=sent["signature"],
                name=sent["name"],
            )
        except DomainError as error:
            status = _add(form, error)
        else:
            return _show_once(request, endpoint, secret)
    return render(request, "webhooks/endpoint_new.html", {"form": form}, status=status)


@never_cache
@login_required
@require_safe
def webhook_endpoint(request: SiteHttpRequest, endpoint_id: int) -> HttpResponse:
    """Show an endpoint with its deliveries, all or those with one status."""
    endpoint = _own(request, endpoint_id)
    chosen = request.GET.get("status", "")
    result = services.list_webhook_deliveries(
        endpoint=endpoint, status=chosen if chosen in Delivery.Status.values else ""
    )
    page = page_object(request, total=result.count(), per_page=PER_PAGE)
    context = {
        "endpoint": endpoint,
        "deliveries": page_rows(result, page),
        "page_obj": page,
        "statuses": Delivery.Status.values,
        "chosen": chosen,
        "lag": queueing.lag(endpoint),
        "form": RedeliverForm(),
    }
    return render(request, "webhooks/endpoint.html", context)


@never_cache
@login_required
@asks_again
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_endpoint_edit(request: SiteHttpRequest, endpoint_id: int) -> HttpResponse:
    """Change an endpoint after confirming the password or a passkey."""
    endpoint = _own(request, endpoint_id)
    form = EndpointForm(request.POST if request.method == "POST" else None, initial=values_of(endpoint))
    status = 422 if form.is_bound else 200
    if form.is_valid():
        sent = form.cleaned_data
        try:
            services.update_webhook_endpoint(
                endpoint=endpoint, url=sent["url"], types=sent["types"], format_=sent["format"], name=sent["name"]
            )
        except DomainError as error:
            status = _add(form, error)
        else:
            messages.success(request, "Webhook saved")
            return redirect("webhook_endpoint", endpoint_id)
    return render(request, "webhooks/endpoint_edit.html", {"form": form, "endpoint": endpoint}, status=status)


@never_cache
@login_required
@asks_again
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_endpoint_rotate(request: SiteHttpRequest, endpoint_id: int) -> HttpResponse:
    """Rotate the secret after confirming the password or a passkey. The response shows the new one."""
    endpoint = _own(request, endpoint_id)
    if request.method == "POST":
        try:
            return _show_once(request, *services.rotate_webhook_secret(endpoint=endpoint))
        except DomainError as error:
            messages.error(request, error.detail)
            return redirect("webhook_endpoint", endpoint_id)
    return render(request, "webhooks/endpoint_rotate.html", {"endpoint": endpoint})


@login_required
@require_POST
def webhook_endpoint_test(request: SiteHttpRequest, endpoint_id: int) -> HttpResponse:
    """Send a test, and show it."""
    try:
        delivery = services.send_webhook_test(endpoint=_own(request, endpoint_id))
    except DomainError as error:
        messages.error(request, error.detail)
        return redirect("webhook_endpoint", endpoint_id)
    return redirect("webhook_delivery", endpoint_id, delivery.pk)


@login_required
@require_POST
def webhook_endpoint_pause(request: SiteHttpRequest, endpoint_id: int) -> HttpResponse:
    """Stop sending until the endpoint is resumed."""
    services.update_webhook_endpoint(endpoint=_own(request, endpoint_id), is_active=False)
    messages.success(request, "Webhook paused")
    return redirect("webhook_endpoint", endpoint_id)


@login_required
@require_POST
def webhook_endpoint_resume(request: SiteHttpRequest, endpoint_id: int) -> HttpResponse:
    """Send again, beginning with what the endpoint missed."""
    services.update_webhook_endpoint(endpoint=_own(request, endpoint_id), is_active=True)
    messages.success(request, "Webhook resumed")
    return redirect("webhook_endpoint", endpoint_id)


@login_required
@require_POST
def webhook_endpoint_delete(request: SiteHttpRequest, endpoint_id: int) -> HttpResponse:
    """Delete an endpoint with its log."""
    services.delete_webhook_endpoint(endpoint=_own(request, endpoint_id))
    messages.success(request, "Webhook deleted")
    return redirect("webhook_endpoints")


@login_required
@require_POST
def webhook_redeliver_since(request: SiteHttpRequest, endpoint_id: int) -> HttpResponse:
    """Send events again, by their numbers."""
    endpoint, form = _own(request, endpoint_id), RedeliverForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Enter the number of an event, such as 120.")
        return redirect("webhook_endpoint", endpoint_id)
    with reporting(request, "Sending these events again"):
        services.redeliver_events(endpoint=endpoint, after=form.cleaned_data["after"], until=form.cleaned_data["until"])
    return redirect("webhook_endpoint", endpoint_id)


@never_cache
@login_required
@require_safe
def webhook_delivery(request: SiteHttpRequest, endpoint_id: int, delivery_id: int) -> HttpResponse:
    """Show a delivery: what is sent, and each answer."""
    delivery = _delivery(request, endpoint_id, delivery_id)
    event_id = delivery.event.key if delivery.event else ""
    context = {
        "endpoint": delivery.endpoint,
        "delivery": delivery,
        "event_id": f"evt_{delivery.test_id.hex}" if delivery.test_id else event_id,
        "body": services.sent_body(delivery),
        "attempts": [(attempt, describe(attempt)) for attempt in delivery.attempts.order_by("-pk")],
    }
    return render(request, "webhooks/delivery.html", context)


@login_required
@require_POST
def webhook_redeliver(request: SiteHttpRequest, endpoint_id: int, delivery_id: int) -> HttpResponse:
    """Send one delivery again."""
    with reporting(request, "Sending it again"):
        services.redeliver_webhook(delivery=_delivery(request, endpoint_id, delivery_id))
    return redirect("webhook_delivery", endpoint_id, delivery_id)


def _own(request: SiteHttpRequest, endpoint_id: int) -> Endpoint:
    result: Endpoint = get_object_or_404(Endpoint.objects.visible_to(account_of(request)), pk=endpoint_id)
    return result


def _delivery(request: SiteHttpRequest, endpoint_id: int, delivery_id: int) -> Delivery:
    rows = Delivery.objects.filter(endpoint=_own(request, endpoint_id)).select_related("endpoint", "event__site")
    result: Delivery = get_object_or_404(rows, pk=delivery_id)
    return result


def _add(form: EndpointForm, error: DomainError) -> int:
    fields = [problem.pointer.split("/")[1] for problem in error.errors]
    form.add_error(next((name for name in fields if name in form.fields), None), error.detail)
    return error.status


def _show_once(request: SiteHttpRequest, endpoint: Endpoint, secret: str) -> HttpResponse:
    context = {"endpoint": endpoint, "secret": secret}
    return render(request, "webhooks/secret.html", context, status=201)
