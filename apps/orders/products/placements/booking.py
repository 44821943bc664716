"""Spots sold by the week: how many are left, who has them, and which listings visitors see."""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet

from apps.core.errors import Conflict
from apps.core.text.weeks import Week
from apps.launches.calendar import reservations
from apps.launches.calendar.launch_weeks import current_week
from apps.listings.models import Category, Listing
from apps.orders.models import OrderLine, Placement, Product
from apps.sites.models import Site

# How many are taken, by product, week and category. The category is empty for products without categories.
Taken = Counter[tuple[str, str, str]]
# Who has which spot, by product, listing, week and category.
Booked = frozenset[tuple[str, int, str, str]]

UNBOUNDED = 1_000_000


class NotBookable(Conflict):
    code = "not_bookable"
    title = "Spot not available"


def taken_places(
    *, site_id: int, weeks: Iterable[str], product: str | None = None, without: Iterable[str] = ()
) -> Taken:
    """Count taken and reserved spots of one product or all, by product, week and category. One query.

    Reservations of the holders `without` don't count.
    """
    booked = Placement.objects.filter(site=site_id, week__in=set(weeks))
    reserved = reservations.live().filter(site=site_id, week__in=set(weeks)).exclude(holder__in=list(without))
    if product:
        booked, reserved = booked.filter(product=product), reserved.filter(product=product)
    fields = ("product", "week", "categories")
    rows = booked.order_by().values_list(*fields).union(reserved.values_list(*fields), all=True)
    return Counter((name, week, slug) for name, week, slugs in rows for slug in slugs or [""])


def booked_places(*, listings: Iterable[int], weeks: Iterable[str]) -> Booked:
    """Return the spots of listings in some weeks. One query."""
    booked = Placement.objects.filter(listing__in=set(listings), week__in=set(weeks))
    rows = booked.values_list("product", "listing_id", "week", "categories")
    return frozenset((name, pk, week, slug) for name, pk, week, slugs in rows for slug in slugs or [""])


def places_left(product: Product, *, week: str, categories: Sequence[str], taken: Taken) -> int:
    """Return how many spots of a product are left in a week. For several categories, in the fullest."""
    if product.capacity is None:
        return UNBOUNDED
    return product.capacity - max(taken[product.name, week, slug] for slug in categories or [""])


def book_places(line: OrderLine, *, listing: Listing | None) -> list[Placement]:
    """Give a line its spots, one in each of its weeks. The caller locks order, line and listing.

    All or nothing. Raises NotBookable (409) when a week is over or full, a category is gone, or the listing has the
    same spot already.
    """
    site, categories = line.order.site_id, list(line.options.get("categories", []))
    # Concurrent bookings of this product wait here, so the counts below are final.
    product = Product.objects.select_for_update().filter(site=site, name=line.product).first()
    _check_weeks(line)
    _check_categories(site, categories)
    if listing and (
        booked := booked_week(listing=listing, product=line.product, weeks=line.weeks, categories=categories)
    ):
        raise NotBookable(f"The listing already has this spot in {booked}.")
    if not reservations.is_reserved_for(line.holder, product=line.product, weeks=line.weeks):
        _check_left(line, product)
    return Placement.objects.bulk_create(
        [
            Placement(
                line=line,
                site_id=site,
                product=line.product,
                listing=listing,
                week=week,
                categories=categories,
                amount_cents=line.unit_price_cents,
            )
            for week in line.weeks
        ]
    )


def _check_left(line: OrderLine, product: Product | None) -> None:
    taken = taken_places(site_id=line.order.site_id, weeks=line.weeks, product=line.product, without=[line.holder])
    for week in line.weeks:
        if product and places_left(product, week=week, categories=line.options.get("categories", []), taken=taken) < 1:
            raise NotBookable(f"All spots in {week} were taken before the payment arrived.")


def of_listing(listing: Listing) -> QuerySet[Placement]:
    """Return the placements of a listing, including those of listings merged into it."""
    return Placement.objects.filter(Q(listing=listing) | Q(listing__merged_into=listing))


def booked_week(*, listing: Listing, product: str, weeks: Iterable[str], categories: Sequence[str] = ()) -> str:
    """Return the first of these weeks in which a listing already has this spot, in any of the categories, or an empty
    string.
    """
    same = of_listing(listing).filter(product=product, week__in=set(weeks))
    if categories:
        same = same.filter(categories__overlap=list(categories))
    return same.order_by("week").values_list("week", flat=True).first() or ""


def shown_listings(site: Site, product: str, *, week: Week | None = None, category: str = "") -> list[Listing]:
    """Return the live listings in a placement, with their companies, by default this week.

    The highest amount comes first, and the earlier of two equal ones. Bookings from before the capacity was lowered
    stay. A merged listing is replaced by the one that remains. One query, two with any booked.
    """
    booked = Placement.objects.filter(site=site, product=product, week=str(week or current_week()))
    if category:
        booked = booked.filter(categories__contains=[category])
    # Most weeks have nothing booked, and the joins below cost ten times as much as this.
    ids = list(booked.order_by("-amount_cents", "pk").values_list("listing", flat=True))
    if not ids:
        return []
    listings = Listing.objects.select_related("company", "site", "merged_into__company", "merged_into__site")
    result = listings.in_bulk({pk for pk in ids if pk})
    shown: dict[int, Listing] = {}
    for booked_listing in (result[pk] for pk in ids if pk):
        listing = booked_listing.merged_into or booked_listing
        if listing.status == Listing.Status.LIVE:
            shown.setdefault(listing.pk, listing)
    return list(shown.values())


def _check_weeks(line: OrderLine) -> None:
    now = str(current_week())
    over = [week for week in line.weeks if week < now]
    if over:
        raise NotBookable(f"{over[0]} ended before the payment arrived.")


def _check_categories(site_id: int, categories: Sequence[str]) -> None:
    if not categories:
        return
    there = set(Category.objects.filter(site=site_id, slug__in=categories).values_list("slug", flat=True))
    gone = [slug for slug in categories if slug not in there]
    if gone:
        raise NotBookable(f"The site no longer has the category {gone[0]}.")
