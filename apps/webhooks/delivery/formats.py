"""The bodies of deliveries: the event as in the API, or a message for Slack or Discord."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.urls import reverse

from apps.core.api.renderers import OrjsonRenderer
from apps.core.text.currencies import format_amount
from apps.core.text.dates import week_and_year
from apps.core.web.hosts import display_host
from apps.core.web.urls import host_of
from apps.events.api import EventSerializer
from apps.events.models import Event
from apps.events.types import TYPES
from apps.listings.models import Listing
from apps.webhooks.models import Delivery, Endpoint

TEST_TYPE = "webhook.test"
_TEST_SUMMARY = "A test of this webhook."
# Discord refuses longer messages.
_MOST_CHARACTERS = 2000
_FIELD_CHARACTERS = 200
_AMOUNTS = frozenset({"total_cents", "amount_cents"})
# How people read the values that they need. The others are for programs.
_SHOWN: Mapping[str, Callable[[Any], str]] = {
    **{name: f"{name} {{}}".format for name in ("order", "rank", "votes", "plan")},
    **dict.fromkeys(("launch_week", "week"), week_and_year),
    **dict.fromkeys(("url", "website"), lambda value: display_host(host_of(value))),
    "product": lambda value: str(value).replace("_", " "),
    "title": "“{}”".format,
    "host": str,
    "fields": " and ".join,
    "is_test": lambda _: "test payment",
}
# By kind of object, the name of its page.
_PAGES = {"draft": "draft", "claim": "claim"}


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
    """Return a sentence about an event with the facts that people read, and a link below."""
    known = TYPES.get(event.type)
    if known is None:
        return _TEST_SUMMARY
    listing = _listing_of(event)
    facts = [fact[:_FIELD_CHARACTERS] for fact in ([listing.company.name] if listing else []) + list(_facts(event))]
    first, dot, rest = known.summary.partition(". ")
    sentence = f"{first.removesuffix('.')}: {', '.join(facts)}.{dot[1:]}{rest}" if facts else known.summary
    url = _url(event, listing)
    return f"{sentence[: _MOST_CHARACTERS - len(url) - 1]}\n{url}".rstrip()


def _listing_of(event: Event) -> Listing | None:
    pk = event.object_id if event.object_type == "listing" else event.data.get("listing_id")
    listing: Listing | None = (
        Listing.objects.filter(pk=pk).select_related("company", "site").first() if pk is not None else None
    )
    return listing


def _facts(event: Event) -> Iterator[str]:
    """Yield amounts as money, weeks and hosts as on pages, and other values with what they are."""
    data: Mapping[str, Any] = event.data
    if event.object_type in {"order", "invoice"}:
        yield f"{event.object_type} {event.object_id}"
    for name, value in data.items():
        if value and name in _AMOUNTS:
            yield format_amount(value, str(data.get("currency", "usd")).upper())
        elif value and name in _SHOWN:
            yield _SHOWN[name](value)


def _url(event: Event, listing: Listing | None) -> str:
    """Return the address of the page about an event, or an empty text if it has none."""
    number = event.object_id if event.object_type == "order" else event.data.get("order")
    if number:
        return event.site.url(reverse("order", args=[number]))
    if event.object_type in _PAGES:
        return event.site.url(reverse(_PAGES[event.object_type], args=[event.object_id]))
    if listing is None:
        return ""
    # Only live listings are public.
    page = "listing" if listing.status == Listing.Status.LIVE else "manage_listing"
    return listing.site.url(reverse(page, args=[listing.slug]))


def _escaped_for_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
