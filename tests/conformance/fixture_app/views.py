"""Operations that do nothing but answer; their names are those that the suite calls."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.operation import operation
from apps.core.api.serializers import StrictSerializer
from apps.core.api.views import ApiViewSet
from apps.core.errors import Unprocessable

TAG = "Conformance"


class SaidSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()


class AddressSerializer(StrictSerializer):
    street = serializers.CharField(required=False)
    city = serializers.CharField(required=False)


class ContactSerializer(StrictSerializer):
    name = serializers.CharField(required=False)
    address = AddressSerializer(required=False)
    email = serializers.EmailField()


class SpeakingViewSet(ApiViewSet):
    @operation(scope=None, tag=TAG, summary="Say a sentence", returns=SaidSerializer)
    def test_simple_text(self, request: Request) -> Response:
        """Answer with one sentence."""
        return Response({"text": "This is a simple text response for testing."})

    @operation(scope=None, tag=TAG, summary="Refuse", returns=SaidSerializer)
    def test_error_handling(self, request: Request) -> Response:
        """Refuse whatever is asked."""
        raise Unprocessable("This tool intentionally returns an error for testing.")

    @operation(scope=None, tag=TAG, summary="Do something worth logging", returns=SaidSerializer)
    def test_logging_tool(self, request: Request) -> Response:
        """Answer with one sentence, while nothing is logged to the client."""
        return Response({"text": "Done."})

    @operation(scope=None, tag=TAG, summary="Answer at once", returns=SaidSerializer)
    def test_streaming_elicitation(self, request: Request) -> Response:
        """Answer with one sentence, without asking anything back."""
        return Response({"text": "Done."})


class ContactViewSet(ApiViewSet):
    @operation(scope=None, tag=TAG, summary="Take a contact", body=ContactSerializer, returns=SaidSerializer)
    def json_schema_2020_12_tool(self, request: Request) -> Response:
        """Check the details of a contact, an address inside it among them."""
        self.parse(ContactSerializer)
        return Response({"text": "Checked."})
