"""The form on which an owner chooses what to buy for a listing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils import timezone

from apps.core.errors import DomainError, FieldProblem
from apps.core.text.dates import time_left, week_days, week_label
from apps.core.text.weeks import Week
from apps.launches.calendar.closing import running_week
from apps.listings.models import Category, Listing
from apps.orders.checkout.cart import why_not_sold
from apps.orders.models import Product
from apps.orders.products.amount import price_text
from apps.orders.products.base import FormContext
from apps.orders.products.placements.booking import taken_places
from apps.orders.products.registry import kind_of, option_fields
from apps.orders.products.weekly import WeekBoxes

WEEKS_SHOWN = 12
HAS_SECTION = {"included", "already_unlocked"}


@dataclass(frozen=True, slots=True)
class ShownProduct:
    """A product on the page: its fields, or why it can't be bought for this listing now.

    `weeks` is its column of the calendar, if it has one.
    """

    product: Product
    title: str
    description: str
    price_text: str
    weeks: forms.BoundField | None
    fields: Sequence[forms.BoundField]
    problem: str


@dataclass(frozen=True, slots=True)
class CalendarRow:
    """A week of the calendar, with the box of each placement after its title. `closes` is set for the running week."""

    week: Week
    closes: str
    boxes: Sequence[tuple[str, Any]]

    @property
    def month(self) -> str:
        return f"{self.week.starts_at:%B %Y}"

    @property
    def dates(self) -> str:
        """Its days. The month above says the year."""
        return week_days(self.week)

    @property
    def label(self) -> str:
        return week_label(self.week)


class BuyForm(forms.Form):
    """A product sold by the week is chosen by its weeks, any other by its checkbox."""

    def __init__(self, data: Any = None, *, listing: Listing, products: Sequence[Product]) -> None:
        super().__init__(data, label_suffix="")
        self.listing = listing
        problems = {product: why_not_sold(product, listing) for product in products}
        # A section that the listing has is nothing to choose.
        self.products = [one for one, problem in problems.items() if not problem or problem[0] not in HAS_SECTION]
        self.problems = {product.name: problem[1] if problem else "" for product, problem in problems.items()}
        self.weeks = _weeks_from_now()
        taken = taken_places(site_id=listing.site_id, weeks={str(week) for week in self.weeks})
        self.running = running_week(listing.site)
        categories = dict(Category.objects.filter(site=listing.site_id).values_list("slug", "name"))
        context = FormContext(
            listing=listing, running=self.running, weeks=self.weeks, taken=taken, categories=categories
        )
        for product in self.offered:
            for option, field in kind_of(product.name).form_fields(product, context).items():
                self.fields[_field_name(product.name, option)] = field
        self.wanted: list[Product] = []

    @property
    def offered(self) -> list[Product]:
        return [product for product in self.products if not self.problems[product.name]]

    def offers(self) -> list[ShownProduct]:
        """Every product of the site, in the order of the catalog."""
        return [self._shown(product) for product in self.products]

    def calendar(self, placements: Sequence[ShownProduct]) -> list[CalendarRow]:
        """Return a row for each week, with a box for each of the placements."""
        closes = f"closes in {time_left(self.running.closes_at)}"
        columns = [list(placement.weeks or ()) for placement in placements]
        return [
            CalendarRow(
                week=week,
                closes=closes if week == self.running.week else "",
                boxes=[(placement.title, column[index]) for placement, column in zip(placements, columns, strict=True)],
            )
            for index, week in enumerate(self.weeks)
        ]

    def items(self) -> list[dict[str, Any]]:
        """Return the choices as the items of a quote. Needs a valid form."""
        return [self._item(product) for product in self.wanted]

    def complete_items(self) -> list[dict[str, Any]]:
        """Return the choices without those that have a problem. Empty if the order as a whole has one."""
        if self.non_field_errors():
            return []
        refused = [product for product in self.wanted if any(_is_of(name, product.name) for name in self.errors)]
        return [self._item(product) for product in self.wanted if product not in refused]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        self.wanted = [product for product in self.offered if self._is_wanted(product, cleaned)]
        if not self.wanted and not self.errors:
            raise ValidationError("Choose something to buy.", code="nothing")
        return cleaned

    def add_problems(self, error: DomainError) -> None:
        """Add the quote's problems to the fields of the products they are about."""
        for problem in error.errors:
            self.add_error(self._field_of(problem), ValidationError(problem.detail, code=problem.code))
        if not error.errors:
            self.add_error(None, ValidationError(error.detail, code=error.error_code))

    def problem_texts(self) -> list[str]:
        """Return the problems of all fields, each with its product. None for choosing nothing."""
        titles = {product.name: product.title for product in self.products}
        texts = []
        for name, errors in self.errors.items():
            title = next((title for key, title in titles.items() if _is_of(name, key)), "")
            texts += [f"{title}: {text}" if title else str(text) for text in errors]
        return [] if self.has_error(NON_FIELD_ERRORS, "nothing") else texts

    def _shown(self, product: Product) -> ShownProduct:
        title, description = kind_of(product.name).texts(product, self.listing)
        own = [self[name] for name in self.fields if _is_of(name, product.name)]
        weeks = next((field for field in own if isinstance(field.field.widget, WeekBoxes)), None)
        return ShownProduct(
            product=product,
            title=title,
            description=description,
            price_text=price_text(product),
            weeks=weeks,
            fields=[field for field in own if field is not weeks],
            problem=self.problems[product.name],
        )

    def _is_wanted(self, product: Product, cleaned: Mapping[str, Any]) -> bool:
        options = ["", *kind_of(product.name).chosen_by]
        return any(cleaned.get(_field_name(product.name, option)) for option in options)

    def _item(self, product: Product) -> dict[str, Any]:
        values = self.cleaned_data
        item: dict[str, Any] = {"product": product.name, "listing_id": self.listing.pk}
        for option in option_fields():
            if value := values.get(_field_name(product.name, option)):
                item[option] = int(value * 100) if option == "amount_cents" else value
        return item

    def _field_of(self, problem: FieldProblem) -> str | None:
        _, place, index, *path = [*problem.pointer.split("/"), "", ""]
        if place != "items" or not index.isdigit() or int(index) >= len(self.wanted):
            return None
        product = self.wanted[int(index)].name
        known = option_fields()
        named = _field_name(product, next((part for part in path if part in known), ""))
        return named if named in self.fields else _field_name(product, "weeks")


def _is_of(field: str, product: str) -> bool:
    return field == product or field.startswith(f"{product}_")


def _field_name(product: str, option: str) -> str:
    """Return the field of an option, or of the product itself. Amounts are typed in dollars."""
    return f"{product}_{option.removesuffix('_cents')}" if option else product


def _weeks_from_now() -> list[Week]:
    now = Week.of(timezone.now())
    return [now + ahead for ahead in range(WEEKS_SHOWN)]
