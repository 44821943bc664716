"""Check that an order can be delivered, right before payment."""

from collections.abc import Mapping

from apps.core.errors import Conflict
from apps.orders.checkout import other_launches
from apps.orders.models import LAUNCH, Order, OrderLine, Product
from apps.orders.products.placements.booking import Taken, taken_places
from apps.orders.products.registry import kind_of


class CannotDeliver(Conflict):
    code = "cannot_deliver"
    title = "Some items are no longer available"


def check_deliverable(order: Order) -> None:
    """Check every line again: its listing, its launch week, its spots.

    Delivery checks again under lock. This check keeps people from paying for something already gone. Raises
    CannotDeliver (409) naming the first line that can't be delivered.
    """
    lines = list(order.lines.select_related("listing__company").order_by("position"))
    launched = {line.listing_id for line in lines if line.product == LAUNCH and line.listing_id}
    others = other_launches.of_listings(launched, account_id=order.account_id, without=order.pk)
    if paid := other_launches.paid(others):
        raise CannotDeliver(paid[0].text)
    products = {product.name: product for product in Product.objects.filter(site=order.site_id)}
    taken = taken_places(
        site_id=order.site_id,
        weeks={week for line in lines for week in line.weeks},
        without=[line.holder for line in lines],
    )
    for line in lines:
        if problem := _problem_of(line, products=products, taken=taken):
            whose = f" for {line.listing_name}" if line.listing_name else ""
            raise CannotDeliver(f"{line.title}{whose}: {problem}")


def _problem_of(line: OrderLine, *, products: Mapping[str, Product], taken: Taken) -> str:
    if line.has_listing:
        if line.listing is None:
            return "The listing no longer exists."
        if other_launches.is_open_section(line):
            return "The listing already shows this section."
        if problem := kind_of(line.product).problem_for(line.listing, unlocks=line.unlocks):
            return problem[1]
    return kind_of(line.product).problem_of(line, product=products.get(line.product), taken=taken)
