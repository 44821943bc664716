"""Webhook endpoints and their deliveries in the API. They are no tools: programs are set up by their developers."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import Credential, account_of
from apps.core.api.operation import operation
from apps.core.api.pagination import page_of, paginate
from apps.core.api.scopes import Scope
from apps.core.api.serializers import (
    ListedChoiceField,
    PageQuery,
    PlainTextField,
    StatedListField,
    StrictIntegerField,
    StrictSerializer,
    StrictStringField,
)
from apps.core.api.views import ApiViewSet
from apps.core.fetch.configuration import MAX_ADDRESS_CHARACTERS
from apps.webhooks import services
from apps.webhooks.models import MAX_NAME_LENGTH, Attempt, Delivery, Endpoint

TAG = "Webhooks"
MAX_TYPES = 100
_ALL = "Types or their first parts, such as order.paid or listing. Empty for all."


class EndpointSerializer(serializers.Serializer[Endpoint]):
    """A webhook endpoint, without its secret."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    url = serializers.SerializerMethodField(help_text="Without webhooks:write, only its host: paths are often secrets.")
    types = serializers.ListField(child=serializers.CharField(), help_text=_ALL)
    format = serializers.ChoiceField(choices=Endpoint.Format.values, help_text="What the body is written for.")
    signature = serializers.ChoiceField(choices=Endpoint.Signature.values)
    public_key = serializers.CharField(help_text="Verifies v1a signatures. Empty with v1.")
    status = serializers.ChoiceField(
        choices=Endpoint.Status.values, help_text="disabled: it responded with 410. Set it to active to resume."
    )
    failing_since = serializers.DateTimeField(allow_null=True, help_text="Of the first failure since the last success.")
    old_secret_until = serializers.DateTimeField(allow_null=True, help_text="Until then, the old secret signs too.")
    created_at = serializers.DateTimeField()

    def get_url(self, endpoint: Endpoint) -> str:
        return endpoint.masked_url if self.context.get("is_masked") else endpoint.url


class EndpointListSerializer(serializers.Serializer[Any]):
    items = EndpointSerializer(many=True)


class EndpointWithSecretSerializer(EndpointSerializer):
    """An endpoint with its new secret."""

    secret = serializers.SerializerMethodField(help_text="Shown once. Empty with v1a, which has public_key.")

    def get_secret(self, endpoint: Endpoint) -> str:
        secret: str = self.context["secret"]
        return secret


class _EndpointBody(StrictSerializer):
    name = PlainTextField(required=False, allow_blank=True, max_length=MAX_NAME_LENGTH)
    types = StatedListField(
        required=False, child=StrictStringField(max_length=60), max_length=MAX_TYPES, help_text=_ALL
    )
    format = ListedChoiceField(required=False, choices=Endpoint.Format.values)


class CreateEndpointSerializer(_EndpointBody):
    """A new webhook endpoint."""

    url = StrictStringField(max_length=MAX_ADDRESS_CHARACTERS, help_text="A public https URL.")
    signature = ListedChoiceField(required=False, choices=Endpoint.Signature.values, help_text="v1 without it.")


class UpdateEndpointSerializer(_EndpointBody):
    """Changes of a webhook endpoint."""

    empty_clears = True

    url = StrictStringField(required=False, max_length=MAX_ADDRESS_CHARACTERS, help_text="A public https URL.")
    status = ListedChoiceField(required=False, choices=["active", "paused"])


class AttemptSerializer(serializers.Serializer[Attempt]):
    at = serializers.DateTimeField(help_text="When the answer came.")
    status_code = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(help_text="Why there was no answer, such as timeout.")
    elapsed_ms = serializers.IntegerField()
    answer = serializers.CharField(help_text="Its first 4 KB. Treat it as data.")


class DeliverySerializer(serializers.Serializer[Delivery]):
    """A delivery of an event to an endpoint."""

    id = serializers.IntegerField()
    event_id = serializers.SerializerMethodField(help_text="The webhook-id header. Empty if the event was deleted.")
    seq = serializers.IntegerField(help_text="0 for a test.")
    type = serializers.CharField()
    status = serializers.ChoiceField(choices=Delivery.Status.values, help_text="failed: given up after 3 days.")
    attempts_made = serializers.IntegerField()
    next_at = serializers.DateTimeField(
        source="next_attempt_at", allow_null=True, help_text="When it is tried next. Null if the endpoint isn't active."
    )
    created_at = serializers.DateTimeField()
    done_at = serializers.DateTimeField(allow_null=True)

    def get_event_id(self, delivery: Delivery) -> str:
        if delivery.test_id is not None:
            return f"evt_{delivery.test_id.hex}"
        return delivery.event.key if delivery.event else ""


class DeliveryDetailsSerializer(DeliverySerializer):
    """A delivery with each request."""

    body = serializers.SerializerMethodField(help_text="What is sent. Empty if the event was deleted.")
    attempts = AttemptSerializer(many=True)

    def get_body(self, delivery: Delivery) -> str:
        return services.sent_body(delivery)


class DeliveriesQuery(PageQuery):
    status = ListedChoiceField(choices=Delivery.Status.values, required=False)


class RedeliverSerializer(StrictSerializer):
    """Which events to send again."""

    after = StrictIntegerField(min_value=0, help_text="Send what came after this seq.")
    until = StrictIntegerField(
        required=False, min_value=1, help_text="Last seq to send, up to 1,000 past `after`. Default: all."
    )


class EndpointViewSet(ApiViewSet):
    lookup_url_kwarg = "endpoint_id"

    def get_object(self) -> Endpoint:
        return services.get_webhook_endpoint(account=account_of(self.request), endpoint_id=self.kwargs["endpoint_id"])

    def _delivery(self, delivery_id: int) -> Delivery:
        return services.get_webhook_delivery(endpoint=self.target, delivery_id=delivery_id)

    @operation(
        scope=Scope.ACCOUNT_READ,
        tag=TAG,
        summary="List webhook endpoints",
        returns=EndpointListSerializer,
        is_tool=False,
    )
    def list_webhook_endpoints(self, request: Request) -> Response:
        """List the account's webhook endpoints, at most 10."""
        endpoints = services.list_webhook_endpoints(account=account_of(request))
        return Response(EndpointListSerializer({"items": endpoints}, context=_masking(request)).data)

    @operation(
        scope=Scope.WEBHOOKS_WRITE,
        tag=TAG,
        summary="Create a webhook endpoint",
        body=CreateEndpointSerializer,
        returns=EndpointWithSecretSerializer,
        status=201,
        is_tool=False,
    )
    def create_webhook_endpoint(self, request: Request) -> Response:
        """Create an endpoint that gets the account's events from now on, signed as in Standard Webhooks.

        Store `secret`: only this response has it. Limit: 10 endpoints.
        """
        body = self.parse(CreateEndpointSerializer)
        endpoint, secret = services.create_webhook_endpoint(
            account=account_of(request),
            url=body["url"],
            types=body.get("types", ()),
            format_=body.get("format", Endpoint.Format.STANDARD),
            signature=body.get("signature", Endpoint.Signature.V1),
            name=body.get("name", ""),
        )
        return Response(EndpointWithSecretSerializer(endpoint, context={"secret": secret}).data, status=201)

    @operation(
        scope=Scope.ACCOUNT_READ, tag=TAG, summary="Get a webhook endpoint", returns=EndpointSerializer, is_tool=False
    )
    def get_webhook_endpoint(self, request: Request, endpoint_id: int) -> Response:
        """Get a webhook endpoint, and whether it is failing."""
        return Response(EndpointSerializer(self.target, context=_masking(request)).data)

    @operation(
        scope=Scope.WEBHOOKS_WRITE,
        tag=TAG,
        summary="Change a webhook endpoint",
        body=UpdateEndpointSerializer,
        returns=EndpointSerializer,
        idempotent=True,
        is_tool=False,
    )
    def update_webhook_endpoint(self, request: Request, endpoint_id: int) -> Response:
        """Change a webhook endpoint, pause it, or turn it on again. It then gets what it missed, up to 90 days back."""
        body = self.parse(UpdateEndpointSerializer)
        endpoint = services.update_webhook_endpoint(
            endpoint=self.target,
            url=body.get("url"),
            types=body.get("types"),
            format_=body.get("format"),
            name=body.get("name"),
            is_active=body["status"] == Endpoint.Status.ACTIVE if "status" in body else None,
        )
        return Response(EndpointSerializer(endpoint).data)

    @operation(
        scope=Scope.WEBHOOKS_WRITE,
        tag=TAG,
        summary="Delete a webhook endpoint",
        returns=None,
        destructive=True,
        is_tool=False,
    )
    def delete_webhook_endpoint(self, request: Request, endpoint_id: int) -> Response:
        """Delete a webhook endpoint and its log of deliveries."""
        services.delete_webhook_endpoint(endpoint=self.target)
        return Response(status=204)

    @operation(
        scope=Scope.WEBHOOKS_WRITE,
        tag=TAG,
        summary="Rotate a webhook secret",
        returns=EndpointWithSecretSerializer,
        idempotency_key=True,
        is_response_secret=True,
        is_tool=False,
    )
    def rotate_webhook_secret(self, request: Request, endpoint_id: int) -> Response:
        """Create a new secret, which only this response has. For 24 hours, the old one signs requests too.

        Limit: 3 old secrets at a time.
        """
        endpoint, secret = services.rotate_webhook_secret(endpoint=self.target)
        return Response(EndpointWithSecretSerializer(endpoint, context={"secret": secret}).data)

    @operation(
        scope=Scope.WEBHOOKS_WRITE,
        tag=TAG,
        summary="Test a webhook endpoint",
        returns=DeliverySerializer,
        status=201,
        is_tool=False,
    )
    def send_webhook_test(self, request: Request, endpoint_id: int) -> Response:
        """Send an event of the type webhook.test, once, also to a paused endpoint. Limit: 5 per minute.

        Read the result with get_webhook_delivery.
        """
        return Response(DeliverySerializer(services.send_webhook_test(endpoint=self.target)).data, status=201)

    @operation(
        scope=Scope.WEBHOOKS_WRITE,
        tag=TAG,
        summary="Send events again",
        body=RedeliverSerializer,
        returns=EndpointSerializer,
        idempotent=True,
        is_tool=False,
    )
    def redeliver_events(self, request: Request, endpoint_id: int) -> Response:
        """Send all events after a `seq` again, or a range of at most 1000, under the same ids."""
        body = self.parse(RedeliverSerializer)
        services.redeliver_events(endpoint=self.target, after=body["after"], until=body.get("until"))
        return Response(EndpointSerializer(self.target).data)

    @operation(
        scope=Scope.ACCOUNT_READ,
        tag=TAG,
        summary="List webhook deliveries",
        query=DeliveriesQuery,
        returns=page_of(DeliverySerializer),
        is_tool=False,
    )
    def list_webhook_deliveries(self, request: Request, endpoint_id: int) -> Response:
        """List an endpoint's deliveries of the last 90 days, newest first."""
        query = self.parse_query(DeliveriesQuery)
        result = services.list_webhook_deliveries(endpoint=self.target, status=query.get("status", ""))
        return Response(
            paginate(result, request=request, page=query["page"], per_page=query["per_page"], item=DeliverySerializer)
        )

    @operation(
        scope=Scope.ACCOUNT_READ,
        tag=TAG,
        summary="Get a webhook delivery",
        returns=DeliveryDetailsSerializer,
        is_tool=False,
    )
    def get_webhook_delivery(self, request: Request, endpoint_id: int, delivery_id: int) -> Response:
        """Get a delivery with its body, and each attempt with its answer."""
        return Response(DeliveryDetailsSerializer(self._delivery(delivery_id)).data)

    @operation(
        scope=Scope.WEBHOOKS_WRITE,
        tag=TAG,
        summary="Send a delivery again",
        returns=DeliverySerializer,
        idempotent=True,
        is_tool=False,
    )
    def redeliver_webhook(self, request: Request, endpoint_id: int, delivery_id: int) -> Response:
        """Send one delivery again, under the same id, and begin its retries anew."""
        services.redeliver_webhook(delivery=self._delivery(delivery_id))
        return Response(DeliverySerializer(self._delivery(delivery_id)).data)


def _masking(request: Request) -> dict[str, bool]:
    credential = request.auth
    return {"is_masked": isinstance(credential, Credential) and Scope.WEBHOOKS_WRITE not in credential.scopes}
