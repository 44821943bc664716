"""Every list and page asks the database as often for many rows as for few."""

from collections.abc import Callable, Iterator

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.launches.calendar import launch_weeks
from apps.listings.models import Category, Listing
from apps.orders.checkout.create import create_checkout
from apps.orders.checkout.quote import QuoteRequest
from apps.orders.models import Product
from apps.sites.models import Site
from tests.api import ApiClient
from tests.drafts.factories import DraftFactory
from tests.factories import CategoryFactory, UserFactory
from tests.listings.many import make_live

pytestmark = pytest.mark.db

FEW = 3
MORE = 40
BOARDS = ["community-weekly", "community-monthly", "community-yearly", "community-all-time"]
PUBLIC_PAGES = [
    "/",
    "/search",
    "/search?q=boats",
    "/search?q=-nothing",
    "/search?q=baots",
    "/search?q=boats&category=boats",
    "/categories/boats",
    *[f"/boards/{board}" for board in BOARDS],
    "/boards/community-weekly?category=boats",
    "/updates",
    "/updates.atom",
    "/weeks",
    "/pricing",
    "/newsletter",
    "/stories",
    "/ledgers",
]
OWN_PAGES = ["/account", "/account/following", "/drafts", "/orders"]
OPERATIONS = [
    "/listings",
    "/listings?q=boats",
    "/listings?q=baots",
    "/listings?q=boats&category=boats",
    *[f"/leaderboards/{board}" for board in BOARDS],
    "/leaderboards/community-weekly?category=boats",
    "/me/listings",
    "/orders",
    "/products",
]


def queries(ask: Callable[[], int]) -> int:
    """Return how many queries a repeated request makes. The first one fills caches."""
    assert ask() == 200
    with CaptureQueriesContext(connection) as captured:
        assert ask() == 200
    return len(captured)


@pytest.fixture(autouse=True)
def _still() -> Iterator[None]:
    """The clock stands, so that what is done once a minute adds no query to one of two counts."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


@pytest.fixture
def person(db: None) -> User:
    user: User = UserFactory.create()
    return user


@pytest.fixture
def category(site: Site) -> Category:
    made: Category = CategoryFactory.create(site=site, slug="boats", name="Water")
    return made


@pytest.fixture
def grow(site: Site, person: User, category: Category) -> Callable[[int], list[Listing]]:
    """Add so many listings of the person, with everything that lists show beside them."""
    return lambda number: make_live(site, number, owner=person, category=category)


@pytest.fixture
def grow_all(site: Site, person: User, grow: Callable[[int], list[Listing]]) -> Callable[[int], None]:
    """Add a draft and an order of the person for each listing as well."""

    def add(number: int) -> None:
        for listing in grow(number):
            DraftFactory.create(owner=person, ready=True, url=f"https://{listing.slug}.example")
            items = [{"product": "section_faq", "listing_id": listing.pk}]
            create_checkout(
                QuoteRequest(items=items), site=site, by=Actor(user=person, via="browser"), address="127.0.0.1"
            )

    return add


@pytest.mark.parametrize("path", PUBLIC_PAGES)
@pytest.mark.parametrize("signed_in", [False, True], ids=["visitor", "person"])
def test_public_pages(
    client: Client, person: User, grow: Callable[[int], list[Listing]], path: str, signed_in: bool
) -> None:
    if signed_in:
        client.force_login(person)
    grow(FEW)
    few = queries(lambda: client.get(path).status_code)
    grow(MORE)
    assert queries(lambda: client.get(path).status_code) == few


@pytest.mark.slow
@pytest.mark.parametrize("path", OWN_PAGES)
def test_own_pages(client: Client, person: User, grow_all: Callable[[int], None], path: str) -> None:
    client.force_login(person)
    grow_all(FEW)
    few = queries(lambda: client.get(path).status_code)
    grow_all(MORE)
    assert queries(lambda: client.get(path).status_code) == few


@pytest.mark.slow
@pytest.mark.parametrize("path", OPERATIONS)
def test_operations(person: User, grow_all: Callable[[int], None], path: str) -> None:
    caller = ApiClient(person)
    where, _, query = path.partition("?")
    values = dict(part.split("=") for part in query.split("&")) if query else {}
    grow_all(FEW)
    few = queries(lambda: caller.get(where, values).status_code)
    grow_all(MORE)
    assert queries(lambda: caller.get(where, values).status_code) == few


def test_products_do_not_add_queries(anonymous: ApiClient, site: Site) -> None:
    products = Product.objects.filter(site=site)
    products.exclude(pk=products.earliest("pk").pk).update(is_active=False)
    few = queries(lambda: anonymous.get("/products").status_code)
    assert products.update(is_active=True) > FEW
    assert queries(lambda: anonymous.get("/products").status_code) == few


@pytest.mark.slow
def test_pages_and_searches_ask_as_often_among_10_000_listings_as_among_10(
    site: Site, person: User, category: Category
) -> None:
    """The words are in all of them, so the search has as many matches as there are listings."""
    first = make_live(site, 10, owner=person, category=category)[0]
    asks = {**_asks("visitor", None, first), **_asks("person", person, first)}
    few = {name: queries(ask) for name, ask in asks.items()}
    make_live(site, 9_990, owner=person, category=category)
    with connection.cursor() as cursor:
        # Autovacuum sees nothing of a transaction, and plans for ten rows are no plans for thousands.
        cursor.execute("ANALYZE")
    assert Listing.objects.public().count() == 10_000
    assert {name: queries(ask) for name, ask in asks.items()} == few
    # The number of unread notifications is one of them.
    assert max(few.values()) <= 16


def _asks(who: str, person: User | None, listing: Listing) -> dict[str, Callable[[], int]]:
    """Return requests of a person or a visitor by name, each of which returns its status."""
    client, api = Client(), ApiClient(person)
    if person is not None:
        client.force_login(person)
    week = str(launch_weeks.current_week())
    pages: dict[str, tuple[str, dict[str, str]]] = {
        "listing page": (listing.path, {}),
        "search page": ("/search", {"q": "boats"}),
        "category page": ("/categories/boats", {}),
    }
    lists: dict[str, dict[str, str]] = {
        "search": {"q": "boats"},
        "search by beginning": {"q": "boa pap"},
        "search in a category and week": {"q": "boats", "category": "boats", "week": week},
        "corrected search": {"q": "baots"},
        "list": {},
    }

    def opens(path: str, values: dict[str, str]) -> Callable[[], int]:
        return lambda: client.get(path, values).status_code

    def searches(values: dict[str, str]) -> Callable[[], int]:
        return lambda: api.get("/listings", values).status_code

    return {
        **{f"{name}, {who}": opens(*at) for name, at in pages.items()},
        **{f"{name}, {who}": searches(values) for name, values in lists.items()},
    }
