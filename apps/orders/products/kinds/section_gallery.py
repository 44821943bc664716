from collections.abc import Mapping
from typing import Any, ClassVar

from apps.orders.products.base import register
from apps.orders.products.section import Section


@register
class GallerySection(Section):
    """Unlocks the gallery: screenshots and a video."""

    name = "section_gallery"
    label = "Gallery section"
    position = 6
    defaults: ClassVar[Mapping[str, Any]] = {
        "title": "Gallery section",
        "description": "Shows screenshots and a video on a free listing.",
        "price_cents": 1900,
        "unlocks": ["gallery"],
    }
