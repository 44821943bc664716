"""Turn the items of a request into what can be bought: check products, listings, options and the calendar."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.accounts.models import User
from apps.core.errors import FieldProblem, Unprocessable
from apps.core.stores.postgresql.instances import Instances
from apps.core.stores.postgresql.statements import Parameter, one_of
from apps.listings.models import Listing
from apps.listings.services.sections import shows
from apps.orders.models import LAUNCH, Product
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
    def launches(self) -> int | None:
        """The listing that it launches."""
        return self.listing.pk if self.listing and self.product.name == LAUNCH else None

    @property
    def listing_name(self) -> str:
        return self.listing.company.name if self.listing else ""


def own_listings(items: Sequence[Mapping[str, Any]], *, account: User) -> dict[int, Listing]:
    """Return the account's listings, on any site, of those that the items name. One query."""
    ids = {item["listing_id"] for item in items if "listing_id" in item}
    return {listing.pk: listing for listing in _OWN.read(account=account.pk, ids=list(ids))} if ids else {}


_OWN = Instances(
    Listing.objects.visible_to(Parameter("account"))
    .filter(pk__in=one_of("ids", "bigint"))
    .select_related("site", "company")
)


def site_of(items: Sequence[Mapping[str, Any]], *, own: Mapping[int, Listing], default: Site) -> Site:
    """Return the site that sells these items: that of the account's `own_listings`, whichever site was asked.

    `default` is the site that was asked, which sells what needs no listing. Raises InvalidItems (422), naming the
    sites with their addresses, when there are two.
    """
    sites = {pk: listing.site for pk, listing in own.items()}
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


def read_cart(*, site: Site, items: Sequence[Mapping[str, Any]], own: Mapping[int, Listing]) -> list[CartItem]:
    """Check the items of a quote or checkout against the catalog, the account's `own_listings` and the calendar.

    `items` have ItemSerializer's shape, and `site` is their `site_of`. Raises InvalidItems (422) with every problem and
    its pointer.
    """
    here = {pk: listing for pk, listing in own.items() if listing.site_id == site.pk}
    cart = CartCheck(site=site, items=items, listings=here)
    result = [_read_item(cart, item, f"/items/{index}") for index, item in enumerate(items)]
    if cart.problems:
        first = cart.problems[0]
        raise InvalidItems(f"{first.pointer}: {first.detail}", code=first.code, errors=cart.problems)
    return [item for item in result if item]


def _read_item(cart: CartCheck, item: Mapping[str, Any], pointer: str) -> CartItem | None:
    product = cart.products.get(item["product"])
    if product is None:
        detail = f"{item['product']} isn't for sale on this site. See list_products."
        cart.refuse("product_unavailable", detail, f"{pointer}/product")
        return None
    before = len(cart.problems)
    # Options can be inside `options` or beside `product`.
    options = {name: item[name] for name in option_fields() if name in item} | item.get("options", {})
    listing = cart.listings.get(item.get("listing_id") or 0)
    check = ItemCheck(cart=cart, pointer=pointer, item=item, product=product, listing=listing, options=options)
    cart.problems += [*_option_problems(check), *_listing_problems(check)]
    options = kind_of(product.name).check_options(check)
    if len(cart.problems) > before:
        return None
    quantity = len(options["weeks"]) if product.unit == Product.Unit.WEEK else 1
    if item.get("quantity", quantity) != quantity:
        detail = "It is the number of `weeks`." if product.unit == Product.Unit.WEEK else "One is enough."
        cart.refuse("invalid_quantity", f"Leave out quantity or set it to {quantity}. {detail}", f"{pointer}/quantity")
        return None
    cart.add(check, options)
    price = options.get("amount_cents", product.price_cents)
    return CartItem(product, listing, options, quantity, price)


def _option_problems(check: ItemCheck) -> Iterator[FieldProblem]:
    known = kind_of(check.product.name).option_names(check.product)
    takes = f"It takes {', '.join(sorted(known))}." if known else "It takes no options."
    for name in sorted(check.options.keys() - known):
        yield FieldProblem(
            "unknown_option", f"{check.product.name} has no option {name}. {takes}", check.pointer_to(name)
        )
    for name in sorted(check.item.get("options", {}).keys() & check.item.keys()):
        yield FieldProblem("option_twice", f"Send {name} once, inside options.", f"{check.pointer}/{name}")


def _listing_problems(check: ItemCheck) -> Iterator[FieldProblem]:
    pointer = f"{check.pointer}/listing_id"
    if check.listing is None and check.item.get("listing_id") is not None:
        detail = "You have no listing with this id. Find valid ids with list_my_listings."
        yield FieldProblem("listing_not_found", detail, pointer)
    elif check.listing is None and check.product.needs_listing:
        detail = "Send the listing_id of one of your listings. Find it with list_my_listings."
        yield FieldProblem("listing_required", detail, pointer)
    elif check.listing and (problem := why_not_sold(check.product, check.listing)):
        yield FieldProblem(*problem, pointer)


def needless(items: Sequence[CartItem]) -> list[str]:
    """Return a sentence for each item the buyer can leave out because a launch in the cart includes it."""
    launched = {item.launches for item in items}
    return [
        f"The launch of {item.listing_name} includes {item.product.title}. You can leave it out."
        for item in items
        if item.product.unlocks and item.listing and item.listing.pk in launched and not item.launches
    ]


def why_not_sold(product: Product, listing: Listing) -> tuple[str, str] | None:
    """Return why a product is not sold for a listing, as code and sentence, or None."""
    if problem := kind_of(product.name).problem_for(listing, unlocks=product.unlocks):
        return problem
    if product.unlocks and all(shows(listing, section) for section in product.unlocks):
        return "included", "This listing's paid launch already includes this section."
    return None
