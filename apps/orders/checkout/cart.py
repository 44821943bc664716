"""Turn the items of a request into what can be bought: check products, listings, options and the calendar."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.accounts.models import User
from apps.core.errors import FieldProblem, Unprocessable
from apps.listings.models import Category, Listing
from apps.listings.services.sections import shows
from apps.orders.models import LAUNCH, Product
from apps.orders.placements.booking import booked_places, taken_places
from apps.orders.products.item_check import CartCheck, ItemCheck
from apps.orders.products.registry import kind_of, option_fields
from apps.sites.models import Site


class InvalidItems(Unprocessable):
    code = "invalid"
    title = "Invalid items"


@dataclass(frozen=True, slots=True)
class CartItem:
    """An item that can be bought. `quantity` counts units, such as weeks for products sold by the week."""

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
        return kind_of(self.product.name).texts(self.product, self.listing)[0]

    @property
    def description(self) -> str:
        return kind_of(self.product.name).texts(self.product, self.listing)[1]

    @property
    def listing_name(self) -> str:
        return self.listing.company.name if self.listing else ""


def site_of(items: Sequence[Mapping[str, Any]], *, account: User, default: Site) -> Site:
    """Return the site that sells these items: that of the account's listings, whichever site was asked.

    `default` is the site that was asked, which sells what needs no listing. Raises InvalidItems (422), naming the
    sites with their addresses, when there are two.
    """
    wanted = {item["listing_id"] for item in items if "listing_id" in item}
    owned = Listing.objects.visible_to(account).filter(pk__in=wanted).select_related("site")
    sites = {listing.pk: listing.site for listing in owned}
    bare = {item["product"] for item in items if "listing_id" not in item} if sites else set()
    needing = (
        Product.objects.filter(site=default, name__in=bare, needs_listing=True) if bare else Product.objects.none()
    )
    lacking = set(needing.values_list("name", flat=True))
    # Items without a listing, or with somebody else's, don't count here. Both are refused later.
    here = {index: None if item["product"] in lacking else default for index, item in enumerate(items)}
    result = [
        (index, sites.get(item["listing_id"]) if "listing_id" in item else here[index])
        for index, item in enumerate(items)
    ]
    named = [(index, site) for index, site in result if site]
    first = named[0][1] if named else default
    for index, site in named:
        if site != first:
            both = " and ".join(f"{one.name} ({one.base_url})" for one in (first, site))
            detail = f"These items are for {both}. Create one order per site."
            problem = FieldProblem("two_sites", detail, f"/items/{index}")
            raise InvalidItems(f"{problem.pointer}: {detail}", code=problem.code, errors=[problem])
    return first


def read_cart(*, site: Site, items: Sequence[Mapping[str, Any]], account: User) -> list[CartItem]:
    """Check the items of a quote or checkout against the catalog, the account's listings and the calendar.

    `items` have ItemSerializer's shape, and `site` is their `site_of`. Raises InvalidItems (422) with every problem and
    its pointer.
    """
    wanted = [item["listing_id"] for item in items if "listing_id" in item]
    weeks = _weeks_of(items)
    owned = Listing.objects.visible_to(account).filter(site=site, pk__in=wanted).select_related("company")
    cart = CartCheck(
        site=site,
        products={product.name: product for product in Product.objects.on_sale(site)},
        listings={listing.pk: listing for listing in owned},
        categories=frozenset(Category.objects.filter(site=site).values_list("slug", flat=True)),
        taken=taken_places(site_id=site.pk, weeks=weeks),
        booked=booked_places(listings=wanted, weeks=weeks),
    )
    result = [_read_item(cart, item, f"/items/{index}") for index, item in enumerate(items)]
    if cart.problems:
        first = cart.problems[0]
        raise InvalidItems(f"{first.pointer}: {first.detail}", code=first.code, errors=cart.problems)
    return [item for item in result if item]


def _weeks_of(items: Sequence[Mapping[str, Any]]) -> set[str]:
    return {week for item in items for place in (item, item.get("options", {})) for week in place.get("weeks", [])}


def _read_item(cart: CartCheck, item: Mapping[str, Any], pointer: str) -> CartItem | None:
    product = cart.products.get(item["product"])
    if product is None:
        detail = f"{item['product']} isn't for sale on this site. See list_products."
        cart.refuse("product_unavailable", detail, f"{pointer}/product")
        return None
    before = len(cart.problems)
    options, where = _gather_options(cart, item, product, pointer)
    listing = _find_listing(cart, item, product, pointer)
    check = ItemCheck(cart=cart, pointer=pointer, product=product, listing=listing, options=options, where=where)
    options = kind_of(product.name).check_options(check)
    if len(cart.problems) > before:
        return None
    quantity = len(options["weeks"]) if product.unit == Product.Unit.WEEK else 1
    if item.get("quantity", quantity) != quantity:
        detail = "It is the number of `weeks`." if product.unit == Product.Unit.WEEK else "One is enough."
        cart.refuse("invalid_quantity", f"Leave out quantity or set it to {quantity}. {detail}", f"{pointer}/quantity")
        return None
    _refuse_twice(cart, product, listing, options, pointer)
    _refuse_booked(cart, product, listing, options, where["weeks"])
    price = options.get("amount_cents", product.price_cents)
    return CartItem(product, listing, options, quantity, price)


def _gather_options(
    cart: CartCheck, item: Mapping[str, Any], product: Product, pointer: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """Read options from `options` or from beside `product`, and remember where each was for error pointers."""
    inside: Mapping[str, Any] = item.get("options", {})
    names = option_fields()
    options = {name: item[name] for name in names if name in item} | dict(inside)
    where = {name: f"{pointer}/options/{name}" if name in inside else f"{pointer}/{name}" for name in names}
    known = kind_of(product.name).option_names(product)
    for name in sorted(options.keys() - known):
        takes = f"It takes {', '.join(sorted(known))}." if known else "It takes no options."
        cart.refuse("unknown_option", f"{product.name} has no option {name}. {takes}", where[name])
    for name in sorted(inside.keys() & item.keys()):
        cart.refuse("option_twice", f"Send {name} once, inside options.", f"{pointer}/{name}")
    return options, where


def _find_listing(cart: CartCheck, item: Mapping[str, Any], product: Product, pointer: str) -> Listing | None:
    listing_id = item.get("listing_id")
    pointer = f"{pointer}/listing_id"
    if listing_id is None:
        if product.needs_listing:
            cart.refuse(
                "listing_required",
                "Send the listing_id of one of your listings. Find it with list_my_listings.",
                pointer,
            )
        return None
    listing = cart.listings.get(listing_id)
    if listing is None:
        detail = "You have no listing with this id. Find valid ids with list_my_listings."
        cart.refuse("listing_not_found", detail, pointer)
        return None
    if problem := why_not_sold(product, listing):
        cart.refuse(problem[0], problem[1], pointer)
    return listing


def needless(items: Sequence[CartItem]) -> list[str]:
    """Return a sentence for each item the buyer can leave out because a launch in the cart includes it."""
    launched = {item.listing.pk for item in items if item.listing and item.product.name == LAUNCH}
    return [
        f"The launch of {item.listing_name} includes {item.product.title}. You can leave it out."
        for item in items
        if item.product.unlocks and item.listing and item.listing.pk in launched and item.product.name != LAUNCH
    ]


def why_not_sold(product: Product, listing: Listing) -> tuple[str, str] | None:
    """Return why a product is not sold for a listing, as code and sentence, or None."""
    if problem := kind_of(product.name).problem_for(listing, unlocks=product.unlocks):
        return problem
    if product.unlocks and all(shows(listing, section) for section in product.unlocks):
        return "included", "This listing's paid launch already includes this section."
    return None


def _refuse_twice(
    cart: CartCheck, product: Product, listing: Listing | None, options: Mapping[str, Any], pointer: str
) -> None:
    whose = (product.name, listing.pk if listing else None)
    keys = {(*whose, week) for week in options["weeks"]} if "weeks" in options else {whose}
    if keys & cart.seen:
        cart.refuse("duplicate_item", f"This order has {product.name} twice for the same listing. Remove one.", pointer)
    cart.seen |= keys


def _refuse_booked(
    cart: CartCheck, product: Product, listing: Listing | None, options: Mapping[str, Any], pointer: str
) -> None:
    slugs = options.get("categories", []) or [""]
    for index, text in enumerate(options.get("weeks", [])):
        if listing and any((product.name, listing.pk, text, slug) in cart.booked for slug in slugs):
            detail = f"This listing already has this spot in {text}. Choose another week."
            cart.refuse("already_booked", detail, f"{pointer}/{index}")
