from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from rest_framework import serializers

from apps.core.api.serializers import WeekTextField
from apps.core.errors import DomainError
from apps.core.text.dates import time_left, week_days, week_label, week_text
from apps.core.text.weeks import PATTERN, Week
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.closing import RunningWeek, default_launch_week, running_week
from apps.launches.services.launch import (
    NotLaunchable,
    check_paid_week,
    launch_paid,
    upgrade_listing,
    withdraw_paid_launch,
)
from apps.listings.models import Listing
from apps.listings.services.merge_plan import PAID_SECTIONS
from apps.orders.models import OrderLine, Product
from apps.orders.models.catalog import LAUNCH
from apps.orders.products.base import LAUNCHABLE, NOW, FormContext, Offer, ProductKind, Stock, register
from apps.orders.products.delivery import (
    CannotWithdraw,
    Undeliverable,
    close_sections,
    lock_listing_of,
    unlock_sections,
)
from apps.orders.products.item_check import ItemCheck
from apps.orders.products.option_text import weeks_text
from apps.orders.products.placements.booking import Taken

# What a launch means for a listing that is already live on the free plan.
UPGRADE = (
    "Upgrade to the paid plan",
    "Shows milestones, screenshots, video and FAQs on your page. No badge needed. Keeps your launch week.",
)
NO_WEEK = (
    "This listing is live, so buying a launch upgrades it to the paid plan and keeps its launch week. Leave out week."
)


@register
class Launch(ProductKind):
    """A paid launch, immediately or in a week. A live free listing is upgraded to the paid plan instead."""

    name = LAUNCH
    label = "Launch"
    position = 1
    defaults: ClassVar[Mapping[str, Any]] = {
        "title": "Launch",
        "description": "Go live immediately or in a week you choose, without a badge or the launch queue.",
        "price_cents": 9900,
    }
    uses_launch_weeks = True
    options: ClassVar[Sequence[str]] = ("week",)

    def texts(self, product: Product, listing: Listing | None) -> tuple[str, str]:
        return UPGRADE if listing is not None and listing.is_upgradable else super().texts(product, listing)

    def problem_for(self, listing: Listing, *, unlocks: Sequence[str]) -> tuple[str, str] | None:
        if listing.is_upgradable:
            return None
        if listing.status == Listing.Status.LIVE:
            return "already_live", "This listing is already on the paid plan."
        if listing.status not in LAUNCHABLE:
            return "not_launchable", f"This listing is {listing.state_words} and can't launch."
        if listing.plan == Listing.Plan.PAID and listing.status == Listing.Status.SCHEDULED:
            text = f"This launch is already paid for. The listing goes live in {week_text(listing.launch_week)}."
            return "already_bought", text
        return None

    # ---- options ----
    def option_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            "week": WeekTextField(
                alternative=" or now",
                required=False,
                pattern=f"^now$|{PATTERN}",
                help_text="For launch: now or an ISO week. list_products says the default.",
            )
        }

    def offer(self, product: Product, stock: Stock) -> Offer:
        now = launch_weeks.current_week()
        places = launch_weeks.places(stock.site, first=now, count=launch_weeks.WEEKS_AHEAD + 1)
        open_weeks = [str(one.week) for one in places if one.left(Listing.Plan.PAID) > 0]
        is_open = str(now) in open_weeks
        full_weeks = open_weeks[1:] if is_open else open_weeks
        default = full_weeks[:1] if running_week(stock.site).is_closing else [NOW][:is_open]
        return Offer(
            launch_weeks=[NOW, *open_weeks] if is_open else open_weeks,
            default_week=default[0] if default else "",
        )

    def option_properties(self, product: Product, offer: Offer) -> dict[str, Any]:
        schema = {
            "type": "string",
            "enum": list(offer.launch_weeks),
            "description": (
                "`now` or an ISO week with a paid spot. In the last days of a week, the "
                "default is the next full week. Leave it out to upgrade a live free listing."
            ),
        }
        return {"week": {**schema, "default": offer.default_week} if offer.default_week else schema}

    def required_options(self, offer: Offer) -> list[str]:
        return [] if offer.default_week else ["week"]

    def check_own_options(self, item: ItemCheck) -> dict[str, Any]:
        if item.listing and item.listing.is_upgradable:
            if "week" in item.options:
                item.refuse("week_not_used", NO_WEEK, "week")
            return {}
        text: str | None = item.options.get("week")
        if text is None:
            week = _once(item, "default launch week", lambda: default_launch_week(item.cart.site))
        elif text == NOW:
            week = None
        elif (week := item.parse_week(text, "week", hint=" or now")) is None:
            return {}
        if problem := _once(item, ("launch week", week), lambda: _problem_of_week(item, week)):
            item.refuse(problem.error_code, problem.detail, "week")
        return {"week": str(week) if week else NOW}

    def option_text(self, options: Mapping[str, Any], *, site_id: int) -> str:
        week = options.get("week")
        if not week:
            return ""
        return "immediately" if week == NOW else weeks_text([week])

    # ---- the buy page ----
    def buy_label(self, product: Product, listing: Listing) -> str:
        return UPGRADE[0] if listing.is_upgradable else super().buy_label(product, listing)

    def own_form_fields(self, product: Product, context: FormContext) -> dict[str, forms.Field]:
        fields = super().own_form_fields(product, context)
        if not context.listing.is_upgradable:
            fields["week"] = _week_field(context)
        return fields

    # ---- an order's line ----
    def spot_weeks(self, line: OrderLine) -> list[str]:
        if "week" not in line.options:
            return []
        chosen, now = line.options["week"], launch_weeks.current_week()
        return [str(now if chosen == NOW else max(Week.parse(chosen), now))]

    def problem_of(self, line: OrderLine, *, product: Product | None, taken: Taken) -> str:
        if problem := _not_as_bought(line, line.listing):
            return problem
        if line.is_upgrade:
            return ""
        try:
            check_paid_week(site=line.order.site, week=_week_of(line), holder=line.holder)
        except DomainError as error:
            return error.detail
        return ""

    def deliver(self, line: OrderLine) -> None:
        listing = self.deliverable_listing(line)
        if problem := _not_as_bought(line, listing):
            raise Undeliverable(problem)
        if listing.is_upgradable:
            listing = upgrade_listing(listing=listing)
        else:
            listing = launch_paid(listing=listing, week=_week_of(line), holder=line.holder)
        unlock_sections(line, listing)

    def take_back(self, line: OrderLine) -> None:
        listing = lock_listing_of(line)
        if listing is None:
            return
        opened = set(line.unlocks)
        if listing.pk != line.listing_id and line.is_upgrade and _forget_merged_upgrade(line):
            # Sections that the merge unlocked on the remaining listing, since the other one was paid.
            opened.update(PAID_SECTIONS)
        else:
            _refuse_begun_launch(line)
            try:
                listing = withdraw_paid_launch(listing=listing, is_upgrade=line.is_upgrade)
            except NotLaunchable as error:
                raise CannotWithdraw(error.detail) from error
        close_sections(line, listing, opened)


def _once(item: ItemCheck, key: object, find: Callable[[], Any]) -> Any:
    """What all launches of a cart share, looked up for the first of them."""
    if key not in item.cart.cache:
        item.cart.cache[key] = find()
    return item.cart.cache[key]


def _problem_of_week(item: ItemCheck, week: Week | None) -> DomainError | None:
    try:
        check_paid_week(site=item.cart.site, week=week)
    except DomainError as error:
        return error
    return None


def _week_of(line: OrderLine) -> Week | None:
    """Return the purchased week, or None for an immediate launch."""
    chosen = line.options["week"]
    return None if chosen == NOW else Week.parse(chosen)


def _not_as_bought(line: OrderLine, listing: Listing | None) -> str:
    """Return why a launch is no longer what was bought, a launch week or an upgrade, as a sentence or ""."""
    is_live = listing is not None and listing.is_upgradable
    if is_live and not line.is_upgrade:
        return "The listing went live on the free plan. To upgrade it, create a new order without a week."
    if line.is_upgrade and not is_live:
        return "The listing is no longer live and can't be upgraded."
    return ""


def _refuse_begun_launch(line: OrderLine) -> None:
    """Refuse a listing that launched before its merge, because it has had its launch."""
    paid = Listing.objects.filter(launch_weeks.LAUNCHED_PAID, pk=line.listing_id or 0, launched_at__isnull=False)
    launched = paid.first()
    if launched and not line.is_upgrade:
        raise CannotWithdraw(f"The listing went live in {launched.launch_week}. This can't be reversed.")


def _forget_merged_upgrade(line: OrderLine) -> bool:
    """Withdraw an upgrade from a listing that was merged since. Returns whether there was one."""
    merged = Listing.objects.filter(pk=line.listing_id or 0, upgraded_at__isnull=False)
    return bool(merged.update(plan=Listing.Plan.FREE, upgraded_at=None))


def _week_field(context: FormContext) -> forms.ChoiceField:
    running = context.running
    places = launch_weeks.places(context.listing.site, first=running.week, count=len(context.weeks))
    choices = [_week_choice(result.week, running) for result in places if result.paid_left]
    # While the current week is closing, buyers must choose the rest of it explicitly.
    preselected = [value for value, _ in choices if value != NOW] if running.is_closing else [NOW]
    if not preselected:
        # Browsers submit the first option by default.
        choices = [("", "Choose a week"), *choices]
    return forms.ChoiceField(
        label="Launch week", choices=choices, required=False, initial=next(iter(preselected), None)
    )


def _week_choice(week: Week, running: RunningWeek) -> tuple[str, str]:
    if week == running.week:
        return NOW, f"Now: {week_label(week)} · closes in {time_left(running.closes_at)}"
    return str(week), f"{week_label(week)} · {week_days(week)}"
