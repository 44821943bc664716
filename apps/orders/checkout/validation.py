"""A last look at what an order would deliver, before money is taken for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone

from apps.core.errors import Conflict, DomainError
from apps.core.weeks import Week
from apps.launches.services.launch import check_paid_week
from apps.listings.models import Listing
from apps.orders.checkout import other_launches
from apps.orders.checkout.cart import why_not
from apps.orders.models import Order, OrderLine, Product
from apps.orders.placements.booking import Taken, places_left, taken_places


class CannotDeliver(Conflict):
    code = "cannot_deliver"
    title = "Something in this order can no longer be delivered"


@dataclass(frozen=True, slots=True)
class _Now:
    """The catalogue and the places as they are now; `taken` grows by the lines that were looked at."""

    order: Order
    products: Mapping[str, Product]
    taken: Taken


def check_deliverable(order: Order) -> None:
    """Look at every line again: its listing, its launch week, its places.

    Delivery looks once more under lock; this keeps people from paying for what is known to be gone. Raises
    CannotDeliver (409) naming the first line that cannot be delivered.
    """
    lines = list(order.lines.select_related("listing__company").order_by("position"))
    launched = {line.listing_id for line in lines if line.product == Product.Name.LAUNCH and line.listing_id}
    others = other_launches.of_listings(launched, account_id=order.account_id, without=order.pk)
    if paid := other_launches.paid(others):
        raise CannotDeliver(paid[0].text)
    now = _Now(
        order=order,
        products={product.name: product for product in Product.objects.filter(site=order.site_id)},
        taken=taken_places(
            site_id=order.site_id,
            weeks={week for line in lines for week in line.weeks},
            without=[line.holder for line in lines],
        ),
    )
    for line in lines:
        if problem := _problem_of(line, now):
            whose = f" for {line.listing_name}" if line.listing_name else ""
            raise CannotDeliver(f"{line.title}{whose}: {problem}")


def _problem_of(line: OrderLine, now: _Now) -> str:
    if line.has_listing:
        if line.listing is None:
            return "The listing is no longer there."
        if other_launches.is_open_section(line):
            return "The listing shows this section already."
        if problem := why_not(line.product, line.listing, line.unlocks):
            return problem[1]
    if line.product == Product.Name.LAUNCH:
        return why_not_in_week(line, line.listing) or _problem_of_week(line, now.order)
    return _problem_of_places(line, now)


def why_not_in_week(line: OrderLine, listing: Listing | None) -> str:
    """Why a launch is no longer what was bought, a launch week or an upgrade, as a sentence; empty when it is."""
    has_week, is_live = "week" in line.options, listing is not None and listing.is_upgradable
    if has_week and is_live:
        return "The listing went live on the free plan. Build a new order without a week to upgrade it."
    if not has_week and not is_live:
        return "The listing isn't live any more, so it can't be upgraded."
    return ""


def _problem_of_week(line: OrderLine, order: Order) -> str:
    if "week" not in line.options:
        return ""
    chosen = line.options["week"]
    try:
        week = None if chosen == "now" else Week.parse(chosen)
        check_paid_week(site=order.site, week=week, holder=line.holder)
    except DomainError as error:
        return error.detail
    return ""


def _problem_of_places(line: OrderLine, now: _Now) -> str:
    this_week = Week.of(timezone.now())
    categories = line.options.get("categories", [])
    product = now.products.get(line.product)
    for text in line.weeks:
        if Week.parse(text) < this_week:
            return f"{text} is over."
        if product and places_left(product, week=text, categories=categories, taken=now.taken) < 1:
            return f"All places of {text} are taken."
        now.taken.update((line.product, text, slug) for slug in categories or [""])
    return ""
