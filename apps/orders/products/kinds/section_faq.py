from collections.abc import Mapping
from typing import Any, ClassVar

from apps.orders.products.base import register
from apps.orders.products.section import Section


@register
class FaqSection(Section):
    """Unlocks questions and answers."""

    name = "section_faq"
    label = "FAQ section"
    position = 7
    defaults: ClassVar[Mapping[str, Any]] = {
        "title": "FAQ section",
        "description": "Shows questions and answers on a free listing.",
        "price_cents": 1900,
        "unlocks": ["faq"],
    }
