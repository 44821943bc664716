"""What of a site's products can be chosen now: open weeks, places left, categories."""

from collections.abc import Sequence

from apps.core.weeks import Week
from apps.launches.calendar import launch_weeks
from apps.launches.calendar.closing import running_week
from apps.listings.models import Category, Listing
from apps.orders.models import Product
from apps.orders.placements.booking import Taken, places_left, taken_places
from apps.orders.products.catalogue import NOW, WEEKS_AHEAD, Offer
from apps.sites.models import Site

Name = Product.Name


def offers_of(site: Site, products: Sequence[Product]) -> dict[str, Offer]:
    """The offer of each of these products of a site, by product name. Four queries, however many there are."""
    now = launch_weeks.current_week()
    weeks = [now + ahead for ahead in range(WEEKS_AHEAD + 1)]
    names = [str(week) for week in weeks]
    taken = taken_places(site_id=site.pk, weeks=names)
    slugs = list(Category.objects.filter(site=site).order_by("position", "slug").values_list("slug", flat=True))
    launches = _launches(site, now)
    return {product.name: _offer(product, names, taken, slugs, launches) for product in products}


def _launches(site: Site, now: Week) -> Offer:
    places = launch_weeks.places(site, first=now, count=launch_weeks.WEEKS_AHEAD + 1)
    open_weeks = [str(one.week) for one in places if one.left(Listing.Plan.PAID) > 0]
    is_open = str(now) in open_weeks
    full_weeks = open_weeks[1:] if is_open else open_weeks
    default = full_weeks[:1] if running_week(site).is_closing else [NOW][:is_open]
    return Offer(
        launch_weeks=[NOW, *open_weeks] if is_open else open_weeks,
        default_week=default[0] if default else "",
    )


def _offer(product: Product, weeks: Sequence[str], taken: Taken, slugs: Sequence[str], launches: Offer) -> Offer:
    if product.name == Name.LAUNCH:
        return launches
    if product.unit != Product.Unit.WEEK:
        return Offer()
    chosen = slugs if product.name == Name.CATEGORY_FEATURE else [""]
    full = {slug: [week for week in weeks if _is_full(product, week, slug, taken)] for slug in chosen}
    # A week that is full in every category cannot be booked at all.
    closed = set.intersection(*(set(found) for found in full.values())) if full else set()
    partly = {slug: [week for week in found if week not in closed] for slug, found in full.items() if slug}
    return Offer(
        weeks=[week for week in weeks if week not in closed],
        categories=[slug for slug in chosen if slug],
        full={slug: found for slug, found in partly.items() if found},
    )


def _is_full(product: Product, week: str, slug: str, taken: Taken) -> bool:
    return places_left(product, week=week, categories=[slug], taken=taken) < 1
