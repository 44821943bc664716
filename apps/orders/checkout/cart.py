"""From the items of a request to what can be bought: products, listings, options and the calendar checked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from apps.accounts.models import User
from apps.core.errors import DomainError, FieldProblem, Unprocessable
from apps.core.templatetags.ui import money
from apps.core.weeks import Week
from apps.launches.calendar.closing import default_launch_week
from apps.launches.services.launch import check_paid_week
from apps.listings.models import Category, Listing
from apps.listings.services.sections import shows
from apps.orders.models import Product
from apps.orders.placements.booking import Booked, Taken, booked_places, places_left, taken_places
from apps.orders.products.catalogue import (
    LAUNCHABLE,
    MAX_AMOUNT_CENTS,
    MAX_CATEGORIES,
    NOW,
    SHOWABLE,
    WEEKS_AHEAD,
    option_names,
    words_for,
)
from apps.sites.models import Site

Status = Listing.Status
Name = Product.Name
NO_WEEK = (
    "This listing is live, so a launch upgrades it to the paid plan as soon as it is paid. It keeps its launch week: "
    "leave week out."
)
OPTIONS = ("week", "weeks", "categories", "amount_cents")


class InvalidItems(Unprocessable):
    code = "invalid"
    title = "Some items cannot be bought like this"


@dataclass(frozen=True, slots=True)
class CartItem:
    """An item that can be bought. `quantity` counts units: weeks, where the product is sold by the week."""

    product: Product
    listing: Listing | None
    options: dict[str, Any]
    quantity: int
    unit_price_cents: int

    @property
    def amount_cents(self) -> int:
        return self.unit_price_cents * self.quantity

    @property
    def title(self) -> str:
        return words_for(self.product, self.listing)[0]

    @property
    def description(self) -> str:
        return words_for(self.product, self.listing)[1]

    @property
    def listing_name(self) -> str:
        return self.listing.company.name if self.listing else ""


@dataclass(slots=True)
class _Cart:
    """What items are checked against, and what was found wrong so far."""

    site: Site
    products: Mapping[str, Product]
    listings: Mapping[int, Listing]
    categories: Collection[str]
    taken: Taken
    booked: Booked
    problems: list[FieldProblem] = field(default_factory=list)
    seen: set[tuple[Any, ...]] = field(default_factory=set)
    launch_weeks: dict[Week | None, DomainError | None] = field(default_factory=dict)
    # The one week of launches that name none, in a list once it was asked for: None is now.
    default_weeks: list[Week | None] = field(default_factory=list)

    def default_week(self) -> Week | None:
        if not self.default_weeks:
            self.default_weeks.append(default_launch_week(self.site))
        return self.default_weeks[0]

    def refuse(self, code: str, detail: str, pointer: str) -> None:
        self.problems.append(FieldProblem(code, detail, pointer))


def site_of(items: Sequence[Mapping[str, Any]], *, by: User, default: Site) -> Site:
    """The site that sells these items: that of the account's listings they are for, whatever site was asked.

    `default` is the site that was asked; what needs no listing is bought there. Raises InvalidItems (422), naming the
    sites, when there are two.
    """
    wanted = {item["listing_id"] for item in items if "listing_id" in item}
    owned = Listing.objects.visible_to(by).filter(pk__in=wanted).select_related("site")
    sites = {listing.pk: listing.site for listing in owned}
    bare = {item["product"] for item in items if "listing_id" not in item} if sites else set()
    needing = (
        Product.objects.filter(site=default, name__in=bare, needs_listing=True) if bare else Product.objects.none()
    )
    lacking = set(needing.values_list("name", flat=True))
    # A listing that is not the account's has no say, and neither has an item that lacks one: both are refused later.
    here = {index: None if item["product"] in lacking else default for index, item in enumerate(items)}
    found = [
        (index, sites.get(item["listing_id"]) if "listing_id" in item else here[index])
        for index, item in enumerate(items)
    ]
    named = [(index, site) for index, site in found if site]
    first = named[0][1] if named else default
    for index, site in named:
        if site != first:
            detail = f"These items are for {first.name} and {site.name}. Build one order for each site."
            problem = FieldProblem("two_sites", detail, f"/items/{index}")
            raise InvalidItems(f"{problem.pointer}: {detail}", code=problem.code, errors=[problem])
    return first


def read_cart(*, site: Site, items: Sequence[Mapping[str, Any]], by: User) -> list[CartItem]:
    """Check the items of a quote or checkout against the catalogue, the account's listings and the calendar.

    `items` are of ItemSerializer's shape, `site` is `site_of` them. Raises InvalidItems (422) with every problem and
    its pointer.
    """
    wanted = [item["listing_id"] for item in items if "listing_id" in item]
    weeks = _weeks_of(items)
    owned = Listing.objects.visible_to(by).filter(site=site, pk__in=wanted).select_related("company")
    cart = _Cart(
        site=site,
        products={product.name: product for product in Product.objects.filter(site=site, is_active=True)},
        listings={listing.pk: listing for listing in owned},
        categories=frozenset(Category.objects.filter(site=site).values_list("slug", flat=True)),
        taken=taken_places(site_id=site.pk, weeks=weeks),
        booked=booked_places(listings=wanted, weeks=weeks),
    )
    found = [_read_item(cart, item, f"/items/{index}") for index, item in enumerate(items)]
    if cart.problems:
        first = cart.problems[0]
        raise InvalidItems(f"{first.pointer}: {first.detail}", code=first.code, errors=cart.problems)
    return [item for item in found if item]


def _weeks_of(items: Sequence[Mapping[str, Any]]) -> set[str]:
    return {week for item in items for place in (item, item.get("options", {})) for week in place.get("weeks", [])}


def _read_item(cart: _Cart, item: Mapping[str, Any], pointer: str) -> CartItem | None:
    product = cart.products.get(item["product"])
    if product is None:
        detail = f"This site does not sell {item['product']} now. list_products says what can be bought."
        cart.refuse("product_unavailable", detail, f"{pointer}/product")
        return None
    before = len(cart.problems)
    options, where = _gather_options(cart, item, product, pointer)
    listing = _find_listing(cart, item, product, pointer)
    options = _check_options(cart, product, listing, options, where, pointer)
    if len(cart.problems) > before:
        return None
    quantity = len(options["weeks"]) if product.unit == Product.Unit.WEEK else 1
    if item.get("quantity", quantity) != quantity:
        detail = "It counts the weeks in `weeks`." if product.unit == Product.Unit.WEEK else "One is enough."
        cart.refuse("invalid_quantity", f"Leave quantity out or set it to {quantity}. {detail}", f"{pointer}/quantity")
        return None
    _refuse_twice(cart, product, listing, options, pointer)
    _refuse_booked(cart, product, listing, options, where["weeks"])
    price = options.get("amount_cents", product.price_cents)
    return CartItem(product, listing, options, quantity, price)


def _gather_options(
    cart: _Cart, item: Mapping[str, Any], product: Product, pointer: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """Options may stand in `options` or beside `product`; the pointers remember where each one stood."""
    inside: Mapping[str, Any] = item.get("options", {})
    options = {name: item[name] for name in OPTIONS if name in item} | dict(inside)
    where = {name: f"{pointer}/options/{name}" if name in inside else f"{pointer}/{name}" for name in OPTIONS}
    known = option_names(product)
    for name in sorted(options.keys() - known):
        takes = f"It takes {', '.join(sorted(known))}." if known else "It takes no options."
        cart.refuse("unknown_option", f"{product.name} has no option {name}. {takes}", where[name])
    for name in sorted(inside.keys() & item.keys()):
        cart.refuse("option_twice", f"Give {name} once, best inside options.", f"{pointer}/{name}")
    return options, where


def _find_listing(cart: _Cart, item: Mapping[str, Any], product: Product, pointer: str) -> Listing | None:
    listing_id = item.get("listing_id")
    pointer = f"{pointer}/listing_id"
    if listing_id is None:
        if product.needs_listing:
            cart.refuse("listing_required", f"{product.name} is bought for one of your listings.", pointer)
        return None
    listing = cart.listings.get(listing_id)
    if listing is None:
        detail = "You have no listing with this id. list_my_listings says which you have."
        cart.refuse("listing_not_found", detail, pointer)
        return None
    if problem := why_not_sold(product, listing):
        cart.refuse(problem[0], problem[1], pointer)
    return listing


def needless(items: Sequence[CartItem]) -> list[str]:
    """What a buyer may leave out, a sentence each: sections of listings whose launch stands in the same cart."""
    launched = {item.listing.pk for item in items if item.listing and item.product.name == Name.LAUNCH}
    return [
        f"{item.product.title} is part of the launch of {item.listing_name}: you can leave it out."
        for item in items
        if item.product.unlocks and item.listing and item.listing.pk in launched and item.product.name != Name.LAUNCH
    ]


def why_not_sold(product: Product, listing: Listing) -> tuple[str, str] | None:
    """Why a product is not sold for a listing, as code and sentence; None when it is."""
    if problem := why_not(product.name, listing, product.unlocks):
        return problem
    if product.unlocks and all(shows(listing, section) for section in product.unlocks):
        return "included", "The paid launch of this listing shows this section already."
    return None


def why_not(product: str, listing: Listing, unlocks: Sequence[str]) -> tuple[str, str] | None:
    """Why a product cannot be delivered for a listing as it stands, as code and sentence; None when it can."""
    if product == Name.LAUNCH:
        if listing.is_upgradable:
            return None
        if listing.status == Status.LIVE:
            return "already_live", "This listing is live on the paid plan. There's nothing left to upgrade."
        if listing.status not in LAUNCHABLE:
            return "not_launchable", f"This listing is {listing.status}, so it cannot be launched."
        if listing.plan == Listing.Plan.PAID and listing.status == Status.SCHEDULED:
            return (
                "already_bought",
                f"The launch of this listing is bought; it goes live in {listing.launch_week}.",
            )
        return None
    if listing.status not in SHOWABLE:
        return "listing_not_showable", f"This listing is {listing.status}, so it cannot be shown."
    if unlocks and set(unlocks) <= set(listing.unlocked_sections):
        return "already_unlocked", "This section of the listing is already open."
    return None


def _check_options(
    cart: _Cart,
    product: Product,
    listing: Listing | None,
    options: dict[str, Any],
    where: Mapping[str, str],
    pointer: str,
) -> dict[str, Any]:
    """The options completed by their defaults; what is wrong goes to the cart's problems."""
    checked = dict(options)
    if product.name == Name.LAUNCH and listing and listing.is_upgradable:
        if "week" in options:
            cart.refuse("week_not_used", NO_WEEK, where["week"])
    elif product.name == Name.LAUNCH:
        checked["week"] = _check_launch_week(cart, options.get("week"), where["week"])
    if product.unit == Product.Unit.WEEK:
        checked["weeks"] = _check_weeks(cart, product, options.get("weeks", []), where["weeks"])
    if product.name == Name.CATEGORY_FEATURE:
        _check_categories(cart, options.get("categories", []), where["categories"])
    if product.min_amount_cents is not None:
        default = max(product.price_cents, product.min_amount_cents)
        checked["amount_cents"] = amount = options.get("amount_cents", default)
        if not product.min_amount_cents <= amount <= MAX_AMOUNT_CENTS:
            low, high = product.min_amount_cents, MAX_AMOUNT_CENTS
            per = " a week" if product.unit == Product.Unit.WEEK else ""
            detail = f"Choose {money(low)} to {money(high)}{per}: {low} to {high} in amount_cents."
            cart.refuse("amount_out_of_range", detail, where["amount_cents"])
    if product.capacity is not None and not any(p.pointer.startswith(f"{pointer}/") for p in cart.problems):
        _check_places(cart, product, checked, where)
    return checked


def _check_launch_week(cart: _Cart, text: str | None, pointer: str) -> str:
    if text is None:
        week = cart.default_week()
    elif text == NOW:
        week = None
    elif (week := _parse_week(cart, text, pointer, hint=" or now")) is None:
        return text
    if problem := _launch_week_problem(cart, week):
        cart.refuse(problem.error_code, problem.detail, pointer)
    return str(week) if week else NOW


def _launch_week_problem(cart: _Cart, week: Week | None) -> DomainError | None:
    if week not in cart.launch_weeks:
        try:
            check_paid_week(site=cart.site, week=week)
            cart.launch_weeks[week] = None
        except DomainError as error:
            cart.launch_weeks[week] = error
    return cart.launch_weeks[week]


def _check_weeks(cart: _Cart, product: Product, texts: Sequence[str], pointer: str) -> list[str]:
    weeks = [_parse_week(cart, text, f"{pointer}/{index}") for index, text in enumerate(texts)]
    now = Week.of(timezone.now())
    for index, week in enumerate(weeks):
        if week and not now <= week <= now + WEEKS_AHEAD:
            detail = f"{week} cannot be booked. Choose a week from {now} to {now + WEEKS_AHEAD}."
            cart.refuse("invalid_week", detail, f"{pointer}/{index}")
    if len(set(texts)) < len(texts):
        cart.refuse("week_twice", "Each week can stand there once.", pointer)
    if len(texts) < product.min_weeks:
        unit = "week" if product.min_weeks == 1 else "weeks"
        detail = f"Choose at least {product.min_weeks} {unit}, such as {now + 1}."
        cart.refuse("too_few_weeks", detail, pointer)
    return sorted(str(week) for week in weeks if week)


def _parse_week(cart: _Cart, text: str, pointer: str, hint: str = "") -> Week | None:
    try:
        return Week.parse(text)
    except ValueError:
        example = Week.of(timezone.now()) + 1
        cart.refuse("invalid_week", f"This must be an ISO week such as {example}{hint}.", pointer)
        return None


def _check_categories(cart: _Cart, slugs: Sequence[str], pointer: str) -> None:
    if not 1 <= len(slugs) <= MAX_CATEGORIES or len(set(slugs)) < len(slugs):
        cart.refuse("invalid_categories", f"Choose 1 to {MAX_CATEGORIES} different categories.", pointer)
    for index, slug in enumerate(slugs):
        if slug not in cart.categories:
            detail = f"There is no category {slug[:40]}. The site has: {', '.join(sorted(cart.categories))}."
            cart.refuse("category_unknown", detail, f"{pointer}/{index}")


def _check_places(cart: _Cart, product: Product, options: Mapping[str, Any], where: Mapping[str, str]) -> None:
    for index, text in enumerate(options.get("weeks", [])):
        if places_left(product, week=text, categories=options.get("categories", []), taken=cart.taken) < 1:
            detail = f"All places of {text} are taken. Choose another week."
            cart.refuse("week_full", detail, f"{where['weeks']}/{index}")
    # The items that follow find these places taken.
    slugs = options.get("categories", []) or [""]
    cart.taken.update((product.name, text, slug) for text in options.get("weeks", []) for slug in slugs)


def _refuse_twice(
    cart: _Cart, product: Product, listing: Listing | None, options: Mapping[str, Any], pointer: str
) -> None:
    whose = (product.name, listing.pk if listing else None)
    keys = {(*whose, week) for week in options["weeks"]} if "weeks" in options else {whose}
    if keys & cart.seen:
        cart.refuse("duplicate_item", f"{product.name} stands in this order twice for the same listing.", pointer)
    cart.seen |= keys


def _refuse_booked(
    cart: _Cart, product: Product, listing: Listing | None, options: Mapping[str, Any], pointer: str
) -> None:
    slugs = options.get("categories", []) or [""]
    for index, text in enumerate(options.get("weeks", [])):
        if listing and any((product.name, listing.pk, text, slug) in cart.booked for slug in slugs):
            detail = f"This listing has this place in {text} already. Choose another week."
            cart.refuse("already_booked", detail, f"{pointer}/{index}")
