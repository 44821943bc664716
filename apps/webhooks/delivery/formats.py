"""The bodies of deliveries: the event as in the API, or a message for Slack or Discord."""

import json
from typing import Any

from apps.core.api.renderers import OrjsonRenderer
from apps.events.api import EventSerializer
from apps.events.models import Event
from apps.events.types import TYPES
from apps.webhooks.models import Delivery, Endpoint

TEST_TYPE = "webhook.test"
_TEST_SUMMARY = "A test of this webhook."
# Discord refuses longer messages.
_MOST_CHARACTERS = 2000
_FIELD_CHARACTERS = 200


def event_of(delivery: Delivery, endpoint: Endpoint) -> Event | None:
    """Return the event of a delivery. For a test it is made up, for a deleted one None."""
    if delivery.test_id is None:
        result: Event | None = delivery.event
        return result
    return Event(
        public_id=delivery.test_id,
        seq=0,
        type=TEST_TYPE,
        at=delivery.created_at,
        site=endpoint.home,
        account_id=endpoint.account_id,
        via="system",
        object_type="webhook_endpoint",
        object_id=str(endpoint.pk),
    )


def body_of(event: Event, endpoint: Endpoint) -> bytes:
    """Return the body of an event's delivery. At an endpoint of a site, it says whose event it is."""
    match endpoint.format:
        case Endpoint.Format.SLACK:
            return json.dumps({"text": _escaped_for_slack(_message(event))}).encode()
        case Endpoint.Format.DISCORD:
            # Data can't mention people.
            return json.dumps({"content": _message(event), "allowed_mentions": {"parse": []}}).encode()
        case _:
            whose = {"account": str(event.account_id)} if endpoint.site_id and event.account_id else {}
            return OrjsonRenderer().render({**EventSerializer(event).data, **whose})


def _message(event: Event) -> str:
    known = TYPES.get(event.type)
    lines = [known.summary if known else _TEST_SUMMARY, f"{event.type} · {event.object_type} {event.object_id}"]
    lines += [f"{name}: {_short(value)}" for name, value in event.data.items() if value is not None]
    return "\n".join(lines)[:_MOST_CHARACTERS]


def _short(value: Any) -> str:
    return str(value)[:_FIELD_CHARACTERS]


def _escaped_for_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
