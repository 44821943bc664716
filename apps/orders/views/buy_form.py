"""The form on which an owner puts together what to buy for a listing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.core.errors import DomainError, FieldProblem
from apps.core.templatetags.ui import money, time_left, week_dates, week_label
from apps.core.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.closing import RunningWeek, running_week
from apps.listings.models import Category, Listing
from apps.orders.checkout.cart import why_not_sold
from apps.orders.models import Product
from apps.orders.placements.booking import Taken, places_left, taken_places
from apps.orders.products.catalogue import MAX_AMOUNT_CENTS, NOW, words_for

WEEKS_SHOWN = 12
_OPTION_FIELDS = {"weeks": "weeks", "week": "week", "categories": "categories", "amount_cents": "amount"}


@dataclass(frozen=True, slots=True)
class Offer:
    """A product as the page shows it: its fields, or why it cannot be bought for this listing now."""

    product: Product
    title: str
    description: str
    price_text: str
    fields: Sequence[forms.BoundField]
    problem: str


class BuyForm(forms.Form):
    """A product by the week is chosen by its weeks, any other one by its box."""

    def __init__(self, data: Any = None, *, listing: Listing, products: Sequence[Product]) -> None:
        super().__init__(data, label_suffix="")
        self.listing = listing
        self.running = running_week(listing.site)
        self.products = products
        self.problems = {product.name: _why_not(product, listing) for product in products}
        weeks = _weeks_from_now()
        taken = taken_places(site_id=listing.site_id, weeks={str(week) for week in weeks})
        for product in self.offered:
            self._add_fields(product, weeks, taken)
        self.wanted: list[Product] = []

    @property
    def offered(self) -> list[Product]:
        return [product for product in self.products if not self.problems[product.name]]

    def offers(self) -> list[Offer]:
        """Every product of the site, in the order of the catalogue."""
        return [
            Offer(
                product,
                *words_for(product, self.listing),
                _price_text(product),
                self._bound(product),
                self.problems[product.name],
            )
            for product in self.products
        ]

    def items(self) -> list[dict[str, Any]]:
        """What was chosen, as the items of a quote; needs the form to be valid."""
        return [self._item(product) for product in self.wanted]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        self.wanted = [product for product in self.offered if self._is_wanted(product, cleaned)]
        if not self.wanted and not self.errors:
            raise ValidationError("Choose something to buy.", code="nothing")
        return cleaned

    def add_problems(self, error: DomainError) -> None:
        """Put what the quote refused beside the fields of the products it names."""
        for problem in error.errors:
            self.add_error(self._field_of(problem), problem.detail)
        if not error.errors:
            self.add_error(None, error.detail)

    def _add_fields(self, product: Product, weeks: Sequence[Week], taken: Taken) -> None:
        name = product.name
        if product.unit == Product.Unit.WEEK:
            choices = [(str(week), _week_text(week, product, taken, self.running)) for week in weeks]
            self.fields[f"{name}_weeks"] = _boxes("Weeks", choices)
        else:
            title, _ = words_for(product, self.listing)
            is_upgrade = name == Product.Name.LAUNCH and self.listing.is_upgradable
            label = title if is_upgrade else f"Buy {title}"
            self.fields[name] = forms.BooleanField(label=label, required=False)
        if name == Product.Name.LAUNCH and not self.listing.is_upgradable:
            self.fields[f"{name}_week"] = _launch_weeks(self.listing, self.running)
        if name == Product.Name.CATEGORY_FEATURE:
            own = Category.objects.filter(site=self.listing.site_id).values_list("slug", "name")
            self.fields[f"{name}_categories"] = _boxes("Categories, one to three", list(own))
        if product.min_amount_cents is not None:
            self.fields[f"{name}_amount"] = _amount(product)

    def _bound(self, product: Product) -> list[forms.BoundField]:
        own = [name for name in self.fields if name == product.name or name.startswith(f"{product.name}_")]
        return [self[name] for name in own]

    def _is_wanted(self, product: Product, cleaned: Mapping[str, Any]) -> bool:
        return any(cleaned.get(name) for name in (product.name, f"{product.name}_weeks", f"{product.name}_categories"))

    def _item(self, product: Product) -> dict[str, Any]:
        values = self.cleaned_data
        item: dict[str, Any] = {"product": product.name, "listing_id": self.listing.pk}
        for option, suffix in _OPTION_FIELDS.items():
            if value := values.get(f"{product.name}_{suffix}"):
                item[option] = int(value * 100) if option == "amount_cents" else value
        return item

    def _field_of(self, problem: FieldProblem) -> str | None:
        _, place, index, *path = [*problem.pointer.split("/"), "", ""]
        if place != "items" or not index.isdigit() or int(index) >= len(self.wanted):
            return None
        product = self.wanted[int(index)].name
        option = next((part for part in path if part in _OPTION_FIELDS), "")
        named = f"{product}_{_OPTION_FIELDS[option]}" if option else product
        return named if named in self.fields else f"{product}_weeks"


def _why_not(product: Product, listing: Listing) -> str:
    problem = why_not_sold(product, listing)
    return problem[1] if problem else ""


def _weeks_from_now() -> list[Week]:
    now = Week.of(timezone.now())
    return [now + ahead for ahead in range(WEEKS_SHOWN)]


def _week_text(week: Week, product: Product, taken: Taken, running: RunningWeek) -> str:
    text = f"{week_label(week)}, {week_dates(week)}"
    if week == running.week:
        text += f" · closes in {time_left(running.closes_at)}"
    if product.capacity is None or product.name == Product.Name.CATEGORY_FEATURE:
        return text
    left = places_left(product, week=str(week), categories=[], taken=taken)
    return f"{text} · {'full' if left < 1 else f'{left} left'}"


def _boxes(label: str, choices: Sequence[tuple[str, str]]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple)


def _launch_weeks(listing: Listing, running: RunningWeek) -> forms.ChoiceField:
    places = launch_weeks.places(listing.site, first=running.week, count=WEEKS_SHOWN)
    weeks = [found.week for found in places if found.paid_left]
    choices = [_launch_choice(week, running) for week in weeks]
    # While the running week closes, whoever wants the rest of it has to choose it.
    preselected = [value for value, _ in choices if value != NOW] if running.is_closing else [NOW]
    if not preselected:
        # Browsers take the first option where none is chosen.
        choices = [("", "Choose a week"), *choices]
    return forms.ChoiceField(
        label="Launch week", choices=choices, required=False, initial=next(iter(preselected), None)
    )


def _launch_choice(week: Week, running: RunningWeek) -> tuple[str, str]:
    text = f"{week_label(week)}, {week_dates(week)}"
    if week == running.week:
        return NOW, f"Now, in {week_label(week)} · closes in {time_left(running.closes_at)}"
    return str(week), text


def _amount(product: Product) -> forms.DecimalField:
    minimum = product.min_amount_cents or 0
    default = max(product.price_cents, minimum)
    return forms.DecimalField(
        label="Your price for a week, in US dollars",
        required=False,
        min_value=minimum / 100,
        max_value=MAX_AMOUNT_CENTS / 100,
        max_digits=9,
        decimal_places=2,
        initial=f"{default // 100}.{default % 100:02d}",
        help_text=f"At least {money(minimum)}. The highest price of a week stands first.",
    )


def _price_text(product: Product) -> str:
    per = " a week" if product.unit == Product.Unit.WEEK else ""
    start = "from " if product.min_amount_cents is not None else ""
    return f"{start}{money(max(product.price_cents, product.min_amount_cents or 0))}{per}"
