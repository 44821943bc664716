"""Products sold by the week: a spot for a listing in each chosen week."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils import timezone
from rest_framework import serializers

from apps.core.api.serializers import StatedListField, WeekTextField
from apps.core.text.dates import week_text
from apps.core.text.weeks import PATTERN, Week
from apps.launches.calendar.launch_weeks import current_week
from apps.orders.models import OrderLine, Product
from apps.orders.products.base import WEEKS_AHEAD, FormContext, Offer, ProductKind, Stock, Unit
from apps.orders.products.delivery import CannotWithdraw
from apps.orders.products.item_check import ItemCheck
from apps.orders.products.option_text import weeks_text
from apps.orders.products.placements.booking import Taken, book_places, places_left


class WeeklyPlacement(ProductKind):
    """A spot booked for whole weeks, with as many spots a week as its row's capacity."""

    unit = Unit.WEEK
    options: ClassVar[Sequence[str]] = ("weeks",)
    chosen_by: ClassVar[Sequence[str]] = ("weeks",)

    def option_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            "weeks": StatedListField(
                child=WeekTextField(pattern=PATTERN),
                required=False,
                max_length=WEEKS_AHEAD + 1,
                # The cart explains it in more words.
                json_schema={"minItems": 1, "uniqueItems": True},
                help_text="ISO weeks of a placement, such as 2026-W50.",
            )
        }

    def offer(self, product: Product, stock: Stock) -> Offer:
        chosen = self.categories_of(stock.categories)
        full = {
            slug: [
                week
                for week in stock.weeks
                if places_left(product, week=week, categories=[slug], taken=stock.taken) < 1
            ]
            for slug in chosen
        }
        # A week that is full in every category can't be booked at all.
        closed = set.intersection(*(set(result) for result in full.values())) if full else set()
        partly = {slug: [week for week in result if week not in closed] for slug, result in full.items() if slug}
        return Offer(
            weeks=[week for week in stock.weeks if week not in closed],
            categories=[slug for slug in chosen if slug],
            full={slug: result for slug, result in partly.items() if result},
        )

    def categories_of(self, slugs: Sequence[str]) -> Sequence[str]:
        """Return those of the site's categories in which spots are counted, or one empty slug without categories."""
        return [""]

    def option_properties(self, product: Product, offer: Offer) -> dict[str, Any]:
        return {
            "weeks": {
                "type": "array",
                "items": {"type": "string", "enum": list(offer.weeks)},
                "minItems": product.min_weeks,
                "maxItems": WEEKS_AHEAD + 1,
                "uniqueItems": True,
                "description": "ISO weeks with a free spot, billed per week.",
            }
        }

    def required_options(self, offer: Offer) -> list[str]:
        return ["weeks"]

    def check_own_options(self, item: ItemCheck) -> dict[str, Any]:
        texts: Sequence[str] = item.options.get("weeks", [])
        weeks = [item.parse_week(text, "weeks", index=index) for index, text in enumerate(texts)]
        now = Week.of(timezone.now())
        for index, week in enumerate(weeks):
            if week and not now <= week <= now + WEEKS_AHEAD:
                detail = f"{week} isn't available. Choose a week from {now} to {now + WEEKS_AHEAD}."
                item.refuse("invalid_week", detail, "weeks", index=index)
        if len(set(texts)) < len(texts):
            item.refuse("week_twice", "Send each week once.", "weeks")
        least = item.product.min_weeks
        if len(texts) < least:
            detail = f"Choose at least {least} {'week' if least == 1 else 'weeks'}, such as {now + 1}."
            item.refuse("too_few_weeks", detail, "weeks")
        return {"weeks": sorted(str(week) for week in weeks if week)}

    def check_places(self, item: ItemCheck, checked: Mapping[str, Any]) -> None:
        product, slugs = item.product, checked.get("categories", [])
        if product.capacity is None:
            return
        for index, text in enumerate(checked["weeks"]):
            if places_left(product, week=text, categories=slugs, taken=item.cart.taken) < 1:
                detail = f"All spots in {text} are taken. Choose another week."
                item.refuse("week_full", detail, "weeks", index=index)
        # The following items find these spots taken.
        item.cart.taken.update((product.name, text, slug) for text in checked["weeks"] for slug in slugs or [""])

    def option_text(self, options: Mapping[str, Any], *, site_id: int) -> str:
        return weeks_text(options.get("weeks", []))

    def own_form_fields(self, product: Product, context: FormContext) -> dict[str, forms.Field]:
        choices = [(str(week), self._week_choice(week, product, context)) for week in context.weeks]
        return {"weeks": boxes("Weeks", choices, widget=WeekBoxes)}

    def _week_choice(self, week: Week, product: Product, context: FormContext) -> "WeekChoice":
        return WeekChoice(
            week,
            []
            if product.capacity is None
            else [
                places_left(product, week=str(week), categories=[slug], taken=context.taken)
                for slug in self.categories_of(list(context.categories))
            ],
        )

    def spot_weeks(self, line: OrderLine) -> list[str]:
        return line.weeks

    def problem_of(self, line: OrderLine, *, product: Product | None, taken: Taken) -> str:
        this_week = Week.of(timezone.now())
        categories = line.options.get("categories", [])
        for text in line.weeks:
            if Week.parse(text) < this_week:
                return f"{text} is over. Choose a later week."
            if product and places_left(product, week=text, categories=categories, taken=taken) < 1:
                return f"All spots in {text} are taken."
            taken.update((line.product, text, slug) for slug in categories or [""])
        return ""

    def deliver(self, line: OrderLine) -> None:
        book_places(line, listing=self.deliverable_listing(line) if line.has_listing else None)

    def take_back(self, line: OrderLine) -> None:
        begun = line.placements.filter(week__lte=str(current_week())).order_by("week").first()
        if begun:
            raise CannotWithdraw(f"{line.title} has started in {begun.week} and can't be withdrawn.")
        line.placements.all().delete()


@dataclass(frozen=True, slots=True)
class WeekChoice:
    """A week of a placement on the calendar. `left` has the spots of each category. Empty if unlimited."""

    week: Week
    left: Sequence[int]

    def __str__(self) -> str:
        return week_text(self.week)

    @property
    def note(self) -> str:
        if self.is_full or not self.left:
            return "Full" if self.is_full else "Open"
        least, most = max(min(self.left), 0), max(self.left)
        return f"{most} left" if least == most else f"{least}–{most} left"

    @property
    def is_full(self) -> bool:
        return bool(self.left) and max(self.left) < 1


class WeekBoxes(forms.CheckboxSelectMultiple):
    """A placement's column of the calendar. The page's template draws it, with each label's `WeekChoice`."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        # One that was chosen before it was full can still be cleared.
        if option["label"].is_full and not option["selected"]:
            option["attrs"]["disabled"] = True
        return option


def boxes(
    label: str,
    choices: Sequence[tuple[str, Any]],
    *,
    widget: type[forms.Widget] = forms.CheckboxSelectMultiple,
    help_text: str = "",
) -> forms.MultipleChoiceField:
    """A choice of several."""
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=widget, help_text=help_text)
