from collections.abc import Mapping
from typing import Any, ClassVar

from apps.orders.products.base import register
from apps.orders.products.weekly import WeeklyPlacement


@register
class Billboard(WeeklyPlacement):
    """The large spot on the front page. Buyers name the price of a week, and the highest comes first."""

    name = "billboard"
    label = "Billboard"
    position = 2
    defaults: ClassVar[Mapping[str, Any]] = {
        "title": "Billboard",
        "description": "The large spot on the front page, by the week. You choose the weekly price.",
        "price_cents": 29900,
        "min_amount_cents": 29900,
        "capacity": 3,
    }
