"""Events in the API."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import account_of
from apps.accounts.api.authentication import check_again
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.serializers import QueryIntegerField, QuerySerializer, QueryTextField
from apps.core.api.views import ApiViewSet
from apps.core.versions.models import Via
from apps.events.log import list_events
from apps.events.models import Event
from apps.events.types import GROUPS, named_types, types_of

TAG = "Events"
MAX_WAIT = 25
_ACTORS = {
    Via.BROWSER: "person",
    Via.KEY: "key",
    Via.ASSISTANT: "client",
    Via.ADMIN: "site_admin",
    Via.SYSTEM: "system",
}


class EventActorSerializer(serializers.Serializer[Event]):
    type = serializers.ChoiceField(choices=list(_ACTORS.values()), help_text="Who or what caused it.")
    name = serializers.CharField(help_text="Name of the API key or connected app. Otherwise empty.")


class EventObjectSerializer(serializers.Serializer[Event]):
    type = serializers.CharField()
    id = serializers.CharField()


class EventSerializer(serializers.Serializer[Event]):
    """An event, in the API and in the body of its webhooks."""

    seq = serializers.IntegerField(help_text="Counts the account's events without gaps.")
    id = serializers.CharField(source="key", help_text="The same in every delivery.")
    type = serializers.CharField()
    at = serializers.DateTimeField()
    site = serializers.CharField(source="site.key")
    actor = EventActorSerializer(source="*")
    object = EventObjectSerializer(source="*")

    def get_fields(self) -> dict[str, Any]:
        # `data` is also the name of an attribute of serializers.
        return {**super().get_fields(), "data": serializers.JSONField()}

    def to_representation(self, event: Event) -> dict[str, Any]:
        return {
            "seq": event.seq,
            "id": event.key,
            "type": event.type,
            "at": self.fields["at"].to_representation(event.at),
            "site": event.site.key,
            "actor": {"type": _ACTORS[Via(event.via)], "name": event.credential},
            "object": {"type": event.object_type, "id": event.object_id},
            "data": event.data,
        }


class EventListSerializer(serializers.Serializer[Any]):
    items = EventSerializer(many=True)
    next_after = serializers.IntegerField(help_text="Send it as `after` to read on.")


class TypesField(QueryTextField):
    """Types of events or their first parts, separated by commas."""

    def to_internal_value(self, data: Any) -> Any:
        names = [name.strip() for name in super().to_internal_value(data).split(",")]
        names = [name for name in names if name]
        if not names:
            self.fail("blank")
        try:
            return named_types(names)
        except KeyError as error:
            name = str(error.args[0])
            known = types_of(name.partition(".")[0]) or GROUPS
            message = f"Unknown type {name[:40]}. Use one of: {', '.join(known)}."
            raise serializers.ValidationError(message, code="unknown_type") from None


class EventQuery(QuerySerializer):
    after = QueryIntegerField(default=0, help_text="The last `next_after`.")
    types = TypesField(required=False, max_length=1000, help_text="Such as order.paid,listing")
    limit = QueryIntegerField(default=100, min_value=1, max_value=500)
    wait_seconds = QueryIntegerField(default=0, max_value=MAX_WAIT, help_text="Maximum seconds to wait for an event.")


class EventViewSet(ApiViewSet):
    @operation(scope=Scope.ACCOUNT_READ, tag=TAG, summary="List events", query=EventQuery, returns=EventListSerializer)
    def list_events(self, request: Request) -> Response:
        """List the last 90 days' events, oldest first: new statuses of drafts, listings, orders and more."""
        query = self.parse_query(EventQuery)
        events, reached = list_events(
            query["after"],
            account=account_of(request),
            types=query.get("types", ()),
            limit=query["limit"],
            wait_seconds=query["wait_seconds"],
        )
        if query["wait_seconds"]:
            request.auth = check_again(request)
            self.check_permissions(request)
        items = [EventSerializer(event).data for event in events]
        return Response({"items": items, "next_after": reached})
