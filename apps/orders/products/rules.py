"""Validation rules of products, used by admin forms and before every save."""

from typing import Final

from apps.core.errors import FieldProblem, Unprocessable
from apps.core.templatetags.ui import money
from apps.listings.services.merge_plan import PAID_SECTIONS
from apps.orders.models import Product
from apps.orders.products.amount import MAX_AMOUNT_CENTS
from apps.orders.products.base import WEEKS_AHEAD
from apps.orders.products.registry import kind_of

SECTIONS: Final = PAID_SECTIONS

Unit = Product.Unit


class InvalidProduct(Unprocessable):
    code = "invalid"
    title = "Invalid product"


def check_product(product: Product) -> None:
    """Raise InvalidProduct (422) with every problem."""
    if problems := problems_of(product):
        errors = [FieldProblem("invalid", text, f"/{name}") for name, text in problems.items()]
        raise InvalidProduct(f"{product.name}: {' '.join(problems.values())}", errors=errors)


def problems_of(product: Product) -> dict[str, str]:
    """Return what is wrong with a product, a sentence for each field. Empty when nothing is."""
    result = {
        "price_cents": _price_problem(product),
        "min_amount_cents": _minimum_problem(product),
        "unit": _unit_problem(product),
        "min_weeks": _weeks_problem(product),
        "capacity": _capacity_problem(product),
        "unlocks": _unlocks_problem(product),
        "needs_listing": _listing_problem(product),
    }
    return {name: text for name, text in result.items() if text}


def _price_problem(product: Product) -> str:
    if 0 <= product.price_cents <= MAX_AMOUNT_CENTS:
        return ""
    return f"Use a price from 0 to {MAX_AMOUNT_CENTS} cents ({money(MAX_AMOUNT_CENTS)})."


def _minimum_problem(product: Product) -> str:
    lowest = product.min_amount_cents
    if lowest is None:
        return ""
    if not 1 <= lowest <= MAX_AMOUNT_CENTS:
        return f"Use a minimum price from 1 to {MAX_AMOUNT_CENTS} cents ({money(MAX_AMOUNT_CENTS)})."
    if lowest > product.price_cents:
        return "The minimum can't be above the default price."
    return ""


def _unit_problem(product: Product) -> str:
    kind = kind_of(product.name)
    if product.unit == kind.unit:
        return ""
    return f"{kind.label} is sold {'by the week' if kind.unit == Unit.WEEK else 'once'}."


def _weeks_problem(product: Product) -> str:
    if product.unit != Unit.WEEK and product.min_weeks != 1:
        return "Only weekly products can require several weeks. Use 1."
    if not 1 <= product.min_weeks <= WEEKS_AHEAD:
        return f"Use 1 to {WEEKS_AHEAD} weeks."
    return ""


def _capacity_problem(product: Product) -> str:
    if product.capacity is None:
        return ""
    if product.unit != Unit.WEEK:
        return "Only weekly products have spots. Leave this empty."
    if product.capacity < 1:
        return "Use 1 or more. To stop selling the product, turn off Active."
    return ""


def _unlocks_problem(product: Product) -> str:
    if unknown := sorted(set(product.unlocks) - set(SECTIONS)):
        return f"Unknown section {', '.join(unknown)}. Use one of: {', '.join(SECTIONS)}."
    kind = kind_of(product.name)
    if kind.opens_sections and not product.unlocks:
        return "Choose which section this product unlocks."
    if product.unlocks and kind.unit == Unit.WEEK:
        return "Weekly products can't unlock sections."
    return ""


def _listing_problem(product: Product) -> str:
    if product.needs_listing or kind_of(product.name).can_do_without_listing:
        return ""
    return "This product needs a listing. Turn on Needs listing."
