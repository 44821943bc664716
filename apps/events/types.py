"""Every type of event: when it happens, its object, and an example of its data."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EventType:
    """A type, such as `order.paid`. `data` is an example with every field that its events have."""

    name: str
    summary: str
    kind: str
    object_id: str
    data: Mapping[str, Any]

    @property
    def group(self) -> str:
        """The first part of the name, such as `order`."""
        return self.name.partition(".")[0]


_LISTING = {"slug": "orbitly", "plan": "free", "launch_week": "2026-W48"}
_PART = {"listing_id": 17}
_REVIEW = {**_PART, "rating": 5, "is_verified": True}
_ORDER = {"total_cents": 11781, "currency": "usd"}
_PAID_BY = {"order": "SL-7K2M9Q", "amount_cents": 11781, "currency": "usd", "is_test": False}

# By object: the id of the example, the data of all its events, and each status with what it means.
_STATES: dict[str, tuple[str, Mapping[str, Any], Mapping[str, str]]] = {
    "draft": (
        "31",
        {"url": "https://orbitly.example/", "listing_id": None},
        {
            "crawling": "A draft was created, or its website is read again.",
            "drafting": "The website was read, and the draft is being written.",
            "ready": "A draft can be reviewed and submitted.",
            "submitted": "A draft became a listing.",
            "failed": "A website couldn't be read.",
            "expired": "A draft wasn't submitted in time.",
            "cancelled": "A draft was canceled.",
        },
    ),
    "listing": (
        "17",
        _LISTING,
        {
            "draft": "A listing was submitted, or can choose a launch again.",
            "in_review": "A listing waits for a site admin.",
            "rejected": "A site admin rejected a listing.",
            "awaiting_badge": "A free listing waits for its badge or a complete profile.",
            "scheduled": "A listing has a launch week.",
            "live": "A listing is public.",
            "archived": "A listing was archived.",
            "suspended": "A site admin suspended a listing.",
        },
    ),
    "order": (
        "SL-7K2M9Q",
        _ORDER,
        {
            "pending": "An order was created, or a payment attempt ended without success.",
            "processing": "A payment was started.",
            "paid": "An order was paid.",
            "partially_refunded": "A part of an order was refunded.",
            "refunded": "A whole order was refunded.",
            "expired": "An order wasn't paid in time.",
            "cancelled": "An order was canceled.",
        },
    ),
    "order_line": (
        "52",
        {"order": "SL-7K2M9Q", "product": "launch", **_PART},
        {
            "fulfilled": "A bought product was delivered, or booked for a later week.",
            "failed": "A bought product couldn't be delivered. Its refund follows.",
            "withdrawn": "A delivered product was taken back with its refund.",
        },
    ),
    "payment": (
        "88",
        _PAID_BY,
        {
            "starting": "A payment attempt began.",
            "open": "The payment page is ready.",
            "paid": "A payment arrived.",
            "failed": "A payment attempt failed.",
            "surplus": "A payment arrived that the order didn't need. It is refunded.",
            "needs_review": "A site admin has to decide about a payment.",
        },
    ),
    "refund": (
        "9",
        _PAID_BY,
        {
            "requested": "A refund was requested.",
            "done": "A refund was made.",
            "failed": "A refund failed.",
        },
    ),
    "claim": (
        "4",
        {"website": "https://orbitly.example/"},
        {
            "open": "A website was claimed.",
            "proven": "A claim was proven: the website is verified.",
            "refused": "A claim was refused.",
            "expired": "A claim wasn't proven in time.",
        },
    ),
    "comment": (
        "73",
        {**_PART, "reply_to": None},
        {
            "in_review": "An edited comment waits for a site admin.",
            "posted": "A comment on a listing was posted, approved or shown again.",
            "hidden": "The owner hid a comment.",
            "removed": "A site admin removed a comment.",
            "deleted": "A comment was deleted by its author.",
        },
    ),
    "collection": (
        "21",
        {"slug": "quiet-tools"},
        {
            "private": "A collection is private again.",
            "in_review": "A collection waits for a site admin before it is public.",
            "public": "A collection was published, approved or restored.",
            "removed": "A site admin removed a collection.",
        },
    ),
    "review": (
        "31",
        _REVIEW,
        {
            "in_review": "An edited review waits for a site admin.",
            "posted": "A review of a listing was posted, approved or restored.",
            "removed": "A site admin removed a review.",
            "deleted": "A review was deleted by its author.",
        },
    ),
}
_STORY = {
    "saved": "A founder story was saved as a draft.",
    "published": "A founder story was published.",
    "edited": "A published founder story was edited.",
    "returned": "A founder story is a draft again, because it no longer meets the rules.",
    "unpublished": "An owner unpublished a founder story.",
    "taken_down": "A site admin took a founder story down.",
    "released": "A site admin restored a founder story.",
}
# About comments that the account wrote on listings of others.
_OWN_COMMENT = {
    "approved": "A site admin approved your comment.",
    "hidden": "The owner of a listing hid your comment.",
    "removed": "A site admin removed your comment.",
}
# About reviews that the account wrote of listings of others.
_OWN_REVIEW = {
    "approved": "A site admin approved your review.",
    "answered": "The owner of a listing answered your review.",
    "removed": "A site admin removed your review.",
}
_APPEAL = {
    "sent": "An appeal against a moderator's decision was sent.",
    "granted": "A site admin reversed a decision after an appeal.",
    "denied": "A site admin upheld a decision after an appeal.",
}
_BADGE = {
    "unchecked": "A badge has to be checked at a new website.",
    "found": "The badge was found on the website.",
    "absent": "The website was read and has no badge.",
    "lost": "The website no longer has its badge.",
    "unknown": "The website couldn't be checked for the badge.",
}
_ENDPOINT = {
    "created": "A webhook endpoint was created. It is the endpoint's first event.",
    "paused": "A webhook endpoint was paused.",
    "resumed": "A paused or disabled webhook endpoint was turned on.",
    "secret_rotated": "The secret of a webhook endpoint was rotated.",
    "disabled": "A webhook endpoint responded with 410 and was disabled.",
    "deleted": "A webhook endpoint was deleted.",
}
_HOST = {"host": "hooks.orbitly.example"}
_WEEK_MOVED = {"launch_week": "2026-W49", "previous_week": "2026-W48"}
_RANK = {"week": "2026-W48", "rank": 1, "votes": 204}
_INVOICE = {"order": "SL-7K2M9Q", "kind": "invoice", "total_cents": 11781, "currency": "usd", "is_test": False}


def _all() -> Iterator[EventType]:
    for kind, (pk, data, statuses) in _STATES.items():
        for status, summary in statuses.items():
            yield EventType(f"{kind}.{status}", summary, kind, pk, {**data, "previous_status": None})
    for action, summary in _STORY.items():
        yield EventType(f"story.{action}", summary, "story", "6", _PART)
    for state, summary in _BADGE.items():
        yield EventType(f"badge.{state}", summary, "listing", "17", {**_LISTING, "previous_state": "found"})
    yield EventType("update.posted", "An update was posted.", "update", "12", {**_PART, "title": "Version 2 is out"})
    yield EventType("update.deleted", "An update was deleted.", "update", "12", _PART)
    yield EventType("comment.edited", "A comment was edited.", "comment", "73", {**_PART, "reply_to": None})
    yield EventType("reply.posted", "Somebody replied to your comment.", "comment", "74", {**_PART, "reply_to": 73})
    for action, summary in _OWN_COMMENT.items():
        yield EventType(f"own_comment.{action}", summary, "comment", "73", {**_PART, "reply_to": None})
    yield EventType(
        "followed_collection.extended",
        "Listings were added to a collection that you follow.",
        "collection",
        "21",
        {"listings": 2},
    )
    yield EventType("review.edited", "A review was edited.", "review", "31", _REVIEW)
    yield EventType("review.answered", "The owner answered a review, or changed the answer.", "review", "31", _REVIEW)
    for action, summary in _OWN_REVIEW.items():
        yield EventType(f"own_review.{action}", summary, "review", "31", _REVIEW)
    yield EventType(
        "report.decided",
        "A site admin decided about your report.",
        "report",
        "8",
        {"kind": "comment", "action": "kept"},
    )
    for action, summary in _APPEAL.items():
        yield EventType(f"appeal.{action}", summary, "appeal", "3", {"kind": "comment"})
    yield EventType("milestone.added", "A milestone was added.", "milestone", "5", _PART)
    yield EventType("milestone.deleted", "A milestone was deleted.", "milestone", "5", _PART)
    yield EventType(
        "launch_week.changed", "A promised launch week changed.", "listing", "17", {**_LISTING, **_WEEK_MOVED}
    )
    yield EventType("leaderboard.closed", "A week ended with this rank.", "listing", "17", {**_LISTING, **_RANK})
    yield EventType("invoice.issued", "An invoice or credit note was issued.", "invoice", "SLIPWAY-2026-31", _INVOICE)
    yield EventType("order.review_needed", "A site admin has to check an order.", "order", "SL-7K2M9Q", _ORDER)
    for action, summary in _ENDPOINT.items():
        yield EventType(f"webhook_endpoint.{action}", summary, "webhook_endpoint", "3", _HOST)
    yield EventType(
        "webhook_endpoint.changed",
        "Fields of a webhook endpoint were changed.",
        "webhook_endpoint",
        "3",
        {**_HOST, "fields": ["url", "types"]},
    )


TYPES: Mapping[str, EventType] = {event.name: event for event in _all()}
GROUPS = tuple(dict.fromkeys(event.group for event in TYPES.values()))


def types_of(group: str) -> list[str]:
    """Return the names of a group's types."""
    return [type_.name for type_ in TYPES.values() if type_.group == group]


def named_types(names: Iterable[str]) -> tuple[str, ...]:
    """Return the types with these names, or all of a group such as `order`. Raises KeyError for an unknown name."""
    result: list[str] = []
    for name in names:
        result += types_of(name) or [TYPES[name].name]
    return tuple(dict.fromkeys(result))
