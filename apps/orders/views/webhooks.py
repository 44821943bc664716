"""The URLs to which providers send messages."""

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.core.api.problems import describe
from apps.core.errors import DomainError
from apps.orders.payments.events import receive_event, sender


@csrf_exempt
@require_POST
def webhook(request: HttpRequest, provider: str) -> HttpResponse:
    """Receive a provider's message. Its signature covers the raw body, so nothing is read from it before."""
    try:
        sender(provider)
        receive_event(provider, body=request.body, headers=request.headers)
    except (DomainError, RequestDataTooBig) as error:
        return describe(error, request)
    return HttpResponse(status=204)
