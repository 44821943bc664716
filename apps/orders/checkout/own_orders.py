"""An account's own orders."""

from apps.accounts.actors import Actor
from apps.core.errors import unknown_id
from apps.orders.models import Order
from apps.orders.models.orders import OrderQuerySet


def list_my_orders(*, by: Actor, status: str = "") -> OrderQuerySet:
    """Return the account's orders on all sites with everything its owner sees, newest first, perhaps of one status."""
    own: OrderQuerySet = Order.objects.visible_to(by.account)
    result = own.filter(status=status) if status else own
    return result.with_everything().order_by("-created_at", "-pk")


def get_order(*, number: str, by: Actor) -> Order:
    """Return one of the account's orders by its number. Raises NotFound (404) for any other."""
    order = list_my_orders(by=by).filter(number=number).first()
    if order is None:
        raise unknown_id("list_my_orders", "You have no order with this number.", kind="number")
    return order
