from django.urls import path

from apps.webhooks import reference, views
from apps.webhooks.api import EndpointViewSet

_ENDPOINT = "me/webhook-endpoints/<int:endpoint_id>"
_DELIVERY = f"{_ENDPOINT}/deliveries/<int:delivery_id>"
_PAGE = "account/webhooks/<int:endpoint_id>"
_DELIVERY_PAGE = f"{_PAGE}/deliveries/<int:delivery_id>"

api_urlpatterns = [
    path(
        "me/webhook-endpoints",
        EndpointViewSet.as_view({"get": "list_webhook_endpoints", "post": "create_webhook_endpoint"}),
    ),
    path(
        _ENDPOINT,
        EndpointViewSet.as_view(
            {"get": "get_webhook_endpoint", "patch": "update_webhook_endpoint", "delete": "delete_webhook_endpoint"}
        ),
    ),
    path(f"{_ENDPOINT}/rotate-secret", EndpointViewSet.as_view({"post": "rotate_webhook_secret"})),
    path(f"{_ENDPOINT}/test", EndpointViewSet.as_view({"post": "send_webhook_test"})),
    path(f"{_ENDPOINT}/redeliver", EndpointViewSet.as_view({"post": "redeliver_events"})),
    path(f"{_ENDPOINT}/deliveries", EndpointViewSet.as_view({"get": "list_webhook_deliveries"})),
    path(_DELIVERY, EndpointViewSet.as_view({"get": "get_webhook_delivery"})),
    path(f"{_DELIVERY}/redeliver", EndpointViewSet.as_view({"post": "redeliver_webhook"})),
]
urlpatterns = [
    path("reference/webhooks", reference.webhook_reference, name="webhook_reference"),
    path("account/webhooks", views.webhook_endpoints, name="webhook_endpoints"),
    path("account/webhooks/new", views.webhook_endpoint_new, name="webhook_endpoint_new"),
    path(_PAGE, views.webhook_endpoint, name="webhook_endpoint"),
    path(f"{_PAGE}/edit", views.webhook_endpoint_edit, name="webhook_endpoint_edit"),
    path(f"{_PAGE}/rotate", views.webhook_endpoint_rotate, name="webhook_endpoint_rotate"),
    path(f"{_PAGE}/test", views.webhook_endpoint_test, name="webhook_endpoint_test"),
    path(f"{_PAGE}/pause", views.webhook_endpoint_pause, name="webhook_endpoint_pause"),
    path(f"{_PAGE}/resume", views.webhook_endpoint_resume, name="webhook_endpoint_resume"),
    path(f"{_PAGE}/delete", views.webhook_endpoint_delete, name="webhook_endpoint_delete"),
    path(f"{_PAGE}/redeliver", views.webhook_redeliver_since, name="webhook_redeliver_since"),
    path(_DELIVERY_PAGE, views.webhook_delivery, name="webhook_delivery"),
    path(f"{_DELIVERY_PAGE}/redeliver", views.webhook_redeliver, name="webhook_redeliver"),
]
