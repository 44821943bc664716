from collections.abc import Mapping
from typing import Any, ClassVar

from django.urls import reverse

from apps.orders.models import Placement
from apps.orders.products.base import register
from apps.orders.products.weekly import WeeklyPlacement


@register
class NewsletterSlot(WeeklyPlacement):
    """A spot in the newsletter of a week, which is emailed when the week is over."""

    name = "newsletter_slot"
    label = "Newsletter slot"
    position = 4
    defaults: ClassVar[Mapping[str, Any]] = {
        "title": "Newsletter slot",
        "description": "A spot in the weekly newsletter.",
        "price_cents": 14900,
        "capacity": 2,
    }
    can_do_without_listing = True
    # An issue loses nothing in a closing week.
    is_cut_short = False
    placement_note = "The newsletter is sent when the week ends."

    def pages(self, placement: Placement) -> list[dict[str, str]]:
        return [{"label": "The newsletter", "url": placement.line.order.site.url(reverse("newsletter"))}]
