"""The rows that a listing of the benchmark's directory has in each table, by the names of their columns."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from apps.core.text.weeks import Week
from tests.benchmarks.listings import Made

if TYPE_CHECKING:
    from django.db.models import Model

# Numbers of rows follow from numbers of listings, above those of whatever the migrations put in.
FIRST_ID = 1_000_000
OWNER = "owner@benchmark.example"
_STORY = ("how_started", "problem", "what_built", "hard_parts")
_PRICE_CENTS = 9_900

Rows = Mapping["type[Model]", Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the listings are: their site, its categories (id, slug, name) in order, and the current week."""

    site_id: int
    categories: Sequence[tuple[int, str, str]]
    now: Week

    @classmethod
    def of_default_site(cls) -> "Place":
        from apps.launches.calendar.launch_weeks import current_week
        from apps.listings.models import Category
        from apps.sites.models import Site

        site = Site.objects.get(is_default=True)
        categories = Category.objects.filter(site=site).order_by("position", "id").values_list("id", "slug", "name")
        return cls(site.pk, list(categories), current_week())


def rows_of(made: Iterable[Made], place: Place) -> tuple[Rows, dict[str, str]]:
    """The rows by model, parents first, and the words by which searches are corrected, with their deletions."""
    from apps.accounts.models import FounderProfile, User
    from apps.listings.models import Company, Listing
    from apps.listings.search.vectors import deletions
    from apps.orders.models import Order, OrderLine, Placement
    from apps.stories.models import FounderStory

    rows: dict[type[Model], list[Mapping[str, Any]]] = defaultdict(list)
    words: dict[str, str] = {}
    for one in made:
        if one.is_owners_first:
            rows[User].append(_user(one))
            rows[FounderProfile].append(_profile(one))
        rows[Company].append(_company(one))
        listing, result = _listing(one, place)
        rows[Listing].append(listing)
        words |= {word: " ".join(sorted(set(deletions(word)))) for word in result if word not in words}
        rows[Listing.categories.through] += [
            {"listing_id": _pk(one.number), "category_id": place.categories[position][0]} for position in one.categories
        ]
        if one.has_story:
            rows[FounderStory].append(_story(one))
        if one.has_order:
            rows[Order].append(_order(one, place))
            rows[OrderLine].append(_line(one))
            if one.has_billboard:
                rows[Placement].append(_placement(one, place))
    return rows, words


def _pk(number: int) -> int:
    return FIRST_ID + number


def _user(one: Made) -> dict[str, Any]:
    email = f"person{one.number}@benchmark.example" if one.number else OWNER
    since = one.launched_at - timedelta(days=90)
    return {"id": _pk(one.number), "email": email, "name": f"{one.name} Team", "password": "!", "joined_at": since}


def _profile(one: Made) -> dict[str, Any]:
    name = {"real_name": one.name, "slug": f"person-{one.slug}"} if one.has_profile else {}
    return {"user_id": _pk(one.number), "role": "Founder", "bio": one.summary, **name}


def _company(one: Made) -> dict[str, Any]:
    host = f"company{one.number}.example"
    return {
        "id": _pk(one.number),
        "owner_id": _pk(one.owner),
        "name": one.name,
        "website": f"https://{host}",
        "website_key": host,
        "founded_year": 2000 + one.number % 24,
        "country": "EE",
        "city": "Tallinn",
        "pricing_model": "freemium",
        "created_at": one.launched_at - timedelta(days=60),
    }


def _listing(one: Made, place: Place) -> tuple[dict[str, Any], set[str]]:
    from apps.listings.search.vectors import Texts, vector_of

    names = [place.categories[position][2] for position in one.categories]
    vector = vector_of(Texts(one.name, one.headline, [], one.summary, names, one.description))
    row = {
        "id": _pk(one.number),
        "company_id": _pk(one.number),
        "site_id": place.site_id,
        "slug": one.slug,
        "status": one.status,
        "plan": "paid" if one.is_paid else "free",
        "launch_week": str(one.week),
        "headline": one.headline,
        "summary": one.summary,
        "description": one.description,
        "votes": one.votes,
        "submitted_at": one.launched_at - timedelta(days=30),
        "launched_at": None if one.status == "scheduled" else one.launched_at,
        "search_vector": str(vector),
    }
    return row, vector.words


def _story(one: Made) -> dict[str, Any]:
    at = one.launched_at + timedelta(days=3)
    return {
        "listing_id": _pk(one.number),
        "author_id": _pk(one.owner),
        "title": one.headline,
        "sections": dict.fromkeys(_STORY, one.description),
        "published_at": at,
        "first_published_at": at,
    }


def _order(one: Made, place: Place) -> dict[str, Any]:
    at = one.launched_at - timedelta(days=20)
    return {
        "id": _pk(one.number),
        "site_id": place.site_id,
        "account_id": _pk(one.owner),
        "number": f"B-{one.number}",
        "secret": f"benchmark-{one.number}",
        "status": "paid",
        "subtotal_cents": _PRICE_CENTS,
        "net_cents": _PRICE_CENTS,
        "vat_cents": 0,
        "total_cents": _PRICE_CENTS,
        "country": "US",
        "created_at": at,
        "expires_at": at + timedelta(days=1),
        "paid_at": at,
    }


def _line(one: Made) -> dict[str, Any]:
    week = str(one.week)
    return {
        "id": _pk(one.number),
        "order_id": _pk(one.number),
        "position": 1,
        "product": "billboard" if one.has_billboard else "launch",
        "title": "Billboard" if one.has_billboard else "Launch",
        "description": "Sold to a benchmark",
        "listing_id": _pk(one.number),
        "listing_name": one.name,
        "has_listing": True,
        "options": {"weeks": [week]} if one.has_billboard else {"week": week},
        "quantity": 1,
        "unit_price_cents": _PRICE_CENTS,
        "net_cents": _PRICE_CENTS,
        "vat_cents": 0,
        "total_cents": _PRICE_CENTS,
        "status": "fulfilled",
        "fulfilled_at": one.launched_at,
    }


def _placement(one: Made, place: Place) -> dict[str, Any]:
    return {
        "line_id": _pk(one.number),
        "site_id": place.site_id,
        "product": "billboard",
        "listing_id": _pk(one.number),
        "week": str(one.week),
        "amount_cents": _PRICE_CENTS,
        "created_at": one.launched_at,
    }
