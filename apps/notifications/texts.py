"""Which events are notifications, of which kind, and the sentence about each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.accounts.models import NotificationKind
from apps.core.text.currencies import format_amount
from apps.core.text.dates import week_dates, week_label
from apps.core.web.hosts import display_host
from apps.core.web.urls import host_of
from apps.events.models import Event
from apps.orders.models.catalog import PRODUCT_LABELS

Kind = NotificationKind


@dataclass(frozen=True, slots=True)
class Text:
    """How a type of event is shown: its kind, a sentence with the names of facts, and the page it links to.

    `page` is the URL name of a page of the listing, or of the order, draft, claim, comment, review or collection.
    """

    kind: NotificationKind
    sentence: str
    page: str


# Types that only programs need, such as the steps of a payment, are left out.
TEXTS: Mapping[str, Text] = {
    "listing.draft": Text(Kind.LAUNCHES, "{name} can choose a launch.", "launch"),
    "listing.scheduled": Text(Kind.LAUNCHES, "{name} launches in {week}.", "manage_listing"),
    "listing.live": Text(Kind.LAUNCHES, "{name} is live.", "listing"),
    "listing.archived": Text(Kind.LAUNCHES, "{name} was archived.", "manage_listing"),
    "launch_week.changed": Text(Kind.LAUNCHES, "{name} now launches in {week}.", "manage_listing"),
    "leaderboard.closed": Text(Kind.LAUNCHES, "{name} finished {ranked_week} at #{rank} with {votes}.", "listing"),
    "listing.awaiting_badge": Text(Kind.BADGES, "{name} needs its badge or a complete profile.", "launch"),
    "badge.found": Text(Kind.BADGES, "We found the badge for {name}.", "badges"),
    "badge.absent": Text(Kind.BADGES, "We didn't find the badge for {name}.", "badges"),
    "badge.lost": Text(Kind.BADGES, "The badge for {name} is missing.", "badges"),
    "order.paid": Text(Kind.ORDERS, "Order {order} was paid: {amount}.", "order"),
    "order.expired": Text(Kind.ORDERS, "Order {order} expired unpaid.", "order"),
    "order.cancelled": Text(Kind.ORDERS, "Order {order} was canceled.", "order"),
    "order_line.fulfilled": Text(Kind.ORDERS, "{product} in order {order} is confirmed.", "order"),
    "order_line.failed": Text(Kind.ORDERS, "{product} in order {order} couldn't be delivered.", "order"),
    "order_line.withdrawn": Text(Kind.ORDERS, "{product} in order {order} was withdrawn.", "order"),
    "payment.failed": Text(Kind.ORDERS, "A payment for order {order} failed.", "order"),
    "payment.surplus": Text(Kind.ORDERS, "Order {order} was paid twice. You get {amount} back.", "order"),
    "refund.requested": Text(Kind.ORDERS, "A refund of {amount} for order {order} is on its way.", "order"),
    "refund.done": Text(Kind.ORDERS, "{amount} was refunded for order {order}.", "order"),
    "invoice.issued": Text(Kind.ORDERS, "{invoice} for order {order} is ready.", "order"),
    "listing.in_review": Text(Kind.REVIEWS, "A site admin is reviewing {name}.", "manage_listing"),
    "listing.rejected": Text(Kind.REVIEWS, "A site admin rejected {name}.", "manage_listing"),
    "listing.suspended": Text(Kind.REVIEWS, "A site admin suspended {name}.", "manage_listing"),
    "report.decided": Text(Kind.REVIEWS, "A site admin decided about your report: {action}.", ""),
    "appeal.granted": Text(Kind.REVIEWS, "A site admin reversed a decision after your appeal.", "own_decisions"),
    "appeal.denied": Text(Kind.REVIEWS, "A site admin upheld a decision after your appeal.", "own_decisions"),
    "claim.proven": Text(Kind.REVIEWS, "You verified {website}.", "claim"),
    "claim.refused": Text(Kind.REVIEWS, "Your claim of {website} was rejected.", "claim"),
    "claim.expired": Text(Kind.REVIEWS, "Your claim of {website} expired.", "claim"),
    "draft.ready": Text(Kind.DRAFTS, "Your draft of {website} is ready.", "draft"),
    "draft.failed": Text(Kind.DRAFTS, "We couldn't read {website}.", "draft"),
    "draft.expired": Text(Kind.DRAFTS, "Your draft of {website} expired.", "draft"),
    "comment.posted": Text(Kind.COMMENTS, "New comment on {name}.", "comment"),
    "reply.posted": Text(Kind.COMMENTS, "New reply to your comment on {name}.", "comment"),
    "own_comment.approved": Text(Kind.COMMENTS, "Your comment on {name} was approved.", "comment"),
    "own_comment.hidden": Text(Kind.COMMENTS, "The owner of {name} hid your comment.", "comment"),
    "own_comment.removed": Text(Kind.COMMENTS, "A site admin removed your comment on {name}.", "comment"),
    "collection.public": Text(Kind.REVIEWS, "A site admin approved {name}.", "edit_collection"),
    "collection.removed": Text(Kind.REVIEWS, "A site admin removed {name}.", "edit_collection"),
    "followed_collection.extended": Text(Kind.FOLLOWED, "{listings} in {name}.", "collection"),
    "review.posted": Text(Kind.COMMENTS, "New review of {name}.", "review"),
    "own_review.approved": Text(Kind.COMMENTS, "Your review of {name} was approved.", "review"),
    "own_review.answered": Text(Kind.COMMENTS, "{name} answered your review.", "review"),
    "own_review.removed": Text(Kind.COMMENTS, "A site admin removed your review of {name}.", "review"),
    "story.published": Text(Kind.STORIES, "The founder story of {name} is published.", "edit_story"),
    "story.returned": Text(Kind.STORIES, "The founder story of {name} is a draft again.", "edit_story"),
    "story.taken_down": Text(Kind.STORIES, "A site admin took down the founder story of {name}.", "edit_story"),
    "story.released": Text(Kind.STORIES, "A site admin restored the founder story of {name}.", "edit_story"),
}


def sentence(event: Event, *, name: str) -> str:
    """Return the sentence about an event. `name` is that of its listing or collection, if it has one."""
    return TEXTS[event.type].sentence.format_map({"name": name, **_facts(event)})


def listing_id_of(event: Event) -> int | None:
    """Return the listing that an event is about."""
    return int(event.object_id) if event.object_type == "listing" else event.data.get("listing_id")


def _facts(event: Event) -> dict[str, str]:
    data: Mapping[str, Any] = event.data
    votes, listings = data.get("votes") or 0, data.get("listings") or 0
    cents = data.get("amount_cents", data.get("total_cents", 0))
    product = str(data.get("product", ""))
    document = "Credit note" if data.get("kind") == "credit_note" else "Invoice"
    return {
        "action": str(data.get("action", "")),
        "week": _week(data.get("launch_week")) or "a later week",
        "ranked_week": _week(data.get("week")),
        "rank": str(data.get("rank")),
        "votes": f"{votes:,} vote{'' if votes == 1 else 's'}",
        "listings": f"{listings:,} new listing{'' if listings == 1 else 's'}",
        "order": event.object_id if event.object_type == "order" else str(data.get("order", "")),
        "amount": format_amount(cents, str(data.get("currency", "usd")).upper()),
        "product": str(PRODUCT_LABELS.get(product, product)),
        "invoice": f"{document} {event.object_id}",
        "website": display_host(host_of(str(data.get("website") or data.get("url") or ""))) or "your website",
    }


def _week(week: str | None) -> str:
    label = week_label(week)
    return f"{label[0].lower()}{label[1:]} ({week_dates(week)})" if week else ""
