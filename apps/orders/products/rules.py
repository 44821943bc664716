"""What a product can be: rules that the admin's forms say beside the field, and that nothing is saved against."""

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
    title = "A product cannot be like this"


def check_product(product: Product) -> None:
    """Raise InvalidProduct (422) with every problem."""
    if problems := problems_of(product):
        errors = [FieldProblem("invalid", text, f"/{name}") for name, text in problems.items()]
        raise InvalidProduct(f"{product.name}: {' '.join(problems.values())}", errors=errors)


def problems_of(product: Product) -> dict[str, str]:
    """What is wrong with a product, a sentence for each field; empty when nothing is."""
    found = {
        "price_cents": _price_problem(product),
        "min_amount_cents": _minimum_problem(product),
        "unit": _unit_problem(product),
        "min_weeks": _weeks_problem(product),
        "capacity": _capacity_problem(product),
        "unlocks": _unlocks_problem(product),
        "needs_listing": _listing_problem(product),
    }
    return {name: text for name, text in found.items() if text}


def _price_problem(product: Product) -> str:
    if 0 <= product.price_cents <= MAX_AMOUNT_CENTS:
        return ""
    return f"The price is 0 to {MAX_AMOUNT_CENTS} cents ({money(MAX_AMOUNT_CENTS)})."


def _minimum_problem(product: Product) -> str:
    lowest = product.min_amount_cents
    if lowest is None:
        return ""
    if not 1 <= lowest <= MAX_AMOUNT_CENTS:
        return f"The lowest price is 1 to {MAX_AMOUNT_CENTS} cents ({money(MAX_AMOUNT_CENTS)})."
    if lowest > product.price_cents:
        return "This is above the price, which is what buyers pay who name none."
    return ""


def _unit_problem(product: Product) -> str:
    kind = kind_of(product.name)
    if product.unit == kind.unit:
        return ""
    return f"{kind.label} is sold {'by the week' if kind.unit == Unit.WEEK else 'once'}."


def _weeks_problem(product: Product) -> str:
    if product.unit != Unit.WEEK and product.min_weeks != 1:
        return "Only what is sold by the week takes several weeks: leave this at 1."
    if not 1 <= product.min_weeks <= WEEKS_AHEAD:
        return f"This is 1 to {WEEKS_AHEAD} weeks."
    return ""


def _capacity_problem(product: Product) -> str:
    if product.capacity is None:
        return ""
    if product.unit != Unit.WEEK:
        return "Only what is sold by the week has places: leave this empty."
    if product.capacity < 1:
        return "There is at least one place; what is not sold now is taken off by Active."
    return ""


def _unlocks_problem(product: Product) -> str:
    if unknown := sorted(set(product.unlocks) - set(SECTIONS)):
        return f"There is no section {', '.join(unknown)}. There are: {', '.join(SECTIONS)}."
    kind = kind_of(product.name)
    if kind.opens_sections and not product.unlocks:
        return "This product opens a section: choose which."
    if product.unlocks and kind.unit == Unit.WEEK:
        return "What is sold by the week opens no sections."
    return ""


def _listing_problem(product: Product) -> str:
    if product.needs_listing or kind_of(product.name).can_do_without_listing:
        return ""
    return "This is delivered to a listing, so that it cannot be bought without one."
