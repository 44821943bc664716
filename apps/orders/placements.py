"""Places that are sold by the week."""

from collections import Counter
from collections.abc import Iterable, Sequence

from apps.orders.models import Placement, Product

Taken = Counter[tuple[str, str, str]]

UNBOUNDED = 1_000_000


def taken_places(*, site_id: int, weeks: Iterable[str]) -> Taken:
    """Places taken, by product, week and category; the category is empty where none is chosen. One query."""
    rows = Placement.objects.filter(site=site_id, week__in=set(weeks)).values_list("product", "week", "categories")
    return Counter((product, week, slug) for product, week, slugs in rows for slug in slugs or [""])


def places_left(product: Product, *, week: str, categories: Sequence[str], taken: Taken) -> int:
    """How many places of a product are left in a week; of several categories, in the fullest."""
    if product.capacity is None:
        return UNBOUNDED
    return product.capacity - max(taken[product.name, week, slug] for slug in categories or [""])
