from collections.abc import Mapping
from typing import Any, ClassVar

from apps.orders.products.base import register
from apps.orders.products.section import Section


@register
class MilestonesSection(Section):
    """Unlocks milestones."""

    name = "section_milestones"
    label = "Milestones section"
    position = 5
    defaults: ClassVar[Mapping[str, Any]] = {
        "title": "Milestones section",
        "description": "Shows your milestones on a free listing.",
        "price_cents": 1900,
        "unlocks": ["milestones"],
    }
