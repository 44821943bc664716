"""Products that unlock a section of a free listing."""

from collections.abc import Mapping
from typing import Any, ClassVar

from apps.orders.models import OrderLine
from apps.orders.products.base import ProductKind
from apps.orders.products.delivery import close_sections, lock_listing_of, unlock_sections


class Section(ProductKind):
    """Unlocks the sections in its row's `unlocks`, permanently."""

    opens_sections = True
    defaults: ClassVar[Mapping[str, Any]]

    def deliver(self, line: OrderLine) -> None:
        unlock_sections(line, self.deliverable_listing(line))

    def take_back(self, line: OrderLine) -> None:
        if listing := lock_listing_of(line):
            close_sections(line, listing, line.unlocks)
