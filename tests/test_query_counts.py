"""Every page and list asks the database as often for many rows as for few."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.launches.calendar import launch_weeks
from apps.listings.models import Listing
from apps.orders.api.order_serializers import IN_DETAILS
from apps.sites.models import Site
from apps.sites.seo.sitemaps import sections
from tests import growing
from tests.api import ApiClient
from tests.growing import WEEK, YEAR, Grow, Scene, make_scene
from tests.process_caches import forget_everything

pytestmark = pytest.mark.db

FEW = 3
MORE = 40
# What grows, and the pages that show it.
BOARDS = ["community-weekly", "community-monthly", "community-yearly", "community-all-time"]
PAGES: dict[Grow, list[str]] = {
    growing.listings: [
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
        "/stories/acme",
        "/founders/ada-example",
        "/listings/acme",
    ],
    growing.contents: ["/listings/acme", "/listings/acme/updates.atom", "/compare/acme-vs-zeta"],
    growing.comments: ["/listings/acme", "/listings/acme/comments", "/listings/acme/comments.atom"],
    growing.categories: ["/categories"],
    growing.founders: ["/founders"],
    growing.answers: ["/founders/ada-example", "/stories/acme"],
    growing.placements: ["/", "/categories/boats"],
    growing.past_boards: [f"/boards?year={YEAR}", "/ledgers"],
    growing.past_launches: [f"/boards/community-weekly?week={WEEK}"],
}
SITEMAPS: dict[Grow, list[str]] = {
    growing.past_boards: [f"/sitemap-{name}.xml" for name in sections()],
    growing.categories: ["/sitemap-categories.xml"],
    growing.founders: ["/sitemap-founders.xml"],
}
OWN_PAGES: dict[Grow, list[str]] = {
    growing.listings: ["/account", "/account/following"],
    growing.founders: ["/account/following"],
    growing.waiting: ["/account"],
    growing.drafts: ["/drafts"],
    growing.orders: ["/orders"],
    growing.keys: ["/account/keys"],
    growing.notifications: ["/notifications"],
    growing.answers: ["/account/interview", "/account/interview/history"],
    growing.story_versions: ["/listings/acme/story/history"],
    growing.listing_versions: ["/listings/acme/history"],
}
ADMIN_LISTS: dict[Grow, list[str]] = {
    growing.listings: ["listings/listing", "stories/founderstory"],
    growing.founders: ["accounts/founderprofile"],
    growing.catalogs: ["orders/product", "orders/productversion"],
}
OPERATIONS: dict[Grow, list[str]] = {
    growing.listings: [
        "/listings",
        "/listings?q=boats",
        "/listings?q=baots",
        "/listings?q=boats&category=boats",
        *[f"/leaderboards/{board}" for board in BOARDS],
        "/leaderboards/community-weekly?category=boats",
        "/me/listings",
    ],
    growing.past_launches: [f"/leaderboards/community-weekly?week={WEEK}"],
    growing.listing_versions: ["/me/listings/{id}", "/me/listings/{id}?include=versions"],
    growing.comments: ["/listings/acme/comments"],
    growing.orders: ["/orders"],
    growing.launches: ["/orders"],
    growing.paid_orders: [f"/orders?per_page=100&include={','.join(IN_DETAILS)}"],
    growing.products: ["/products"],
}
SLOW: set[Grow] = {growing.orders, growing.launches, growing.paid_orders}


def rows(table: dict[Grow, list[str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("path", "grow"),
        [
            pytest.param(path, grow, id=f"{path}-{grow.__name__}", marks=[pytest.mark.slow] if grow in SLOW else [])
            for grow, paths in table.items()
            for path in paths
        ],
    )


@pytest.fixture(autouse=True)
def _still() -> Iterator[None]:
    """The clock stands, so that what is done once a minute adds no query to one of two counts."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


@pytest.fixture
def scene(site: Site) -> Scene:
    return make_scene(site)


def opening(path: str, user: User | None) -> Callable[[], Any]:
    client = Client()
    if user:
        client.force_login(user)
    return lambda: client.get(path)


def calling(path: str, user: User | None) -> Callable[[], Any]:
    caller = ApiClient(user)
    where, _, query = path.partition("?")
    values = dict(part.split("=") for part in query.split("&")) if query else {}
    return lambda: caller.get(where, values)


def queries(ask: Callable[[], Any]) -> int:
    """Return how many queries a request makes when caches are empty."""
    forget_everything()
    with CaptureQueriesContext(connection) as captured:
        assert ask().status_code == 200
    return len(captured)


def check(scene: Scene, grow: Grow, ask: Callable[[], Any], *, most: int) -> None:
    """Compare the queries, without those that only the first request of a session makes."""
    ask()
    grow(scene, FEW)
    few = queries(ask)
    grow(scene, MORE)
    assert queries(ask) == few <= most


@rows(PAGES)
def test_pages_for_visitors(scene: Scene, path: str, grow: Grow) -> None:
    check(scene, grow, opening(path, None), most=12)


@rows(PAGES)
def test_pages_for_people(scene: Scene, path: str, grow: Grow) -> None:
    check(scene, grow, opening(path, scene.person), most=16)


@rows(SITEMAPS)
def test_sitemaps(scene: Scene, path: str, grow: Grow) -> None:
    check(scene, grow, opening(path, None), most=5)


@rows(OWN_PAGES)
def test_own_pages(scene: Scene, path: str, grow: Grow) -> None:
    check(scene, grow, opening(path, scene.person), most=18)


@rows(ADMIN_LISTS)
def test_admin_lists(scene: Scene, member: User, path: str, grow: Grow) -> None:
    check(scene, grow, opening(f"/admin/{path}/", member), most=9)


@rows(OPERATIONS)
def test_operations(scene: Scene, path: str, grow: Grow) -> None:
    check(scene, grow, calling(path.format(id=scene.listing.pk), scene.person), most=10)


@pytest.mark.slow
def test_pages_and_searches_ask_as_often_among_10_000_listings_as_among_10(scene: Scene) -> None:
    """The words are in all of them, so the search has as many matches as there are listings."""
    Listing.objects.filter(slug__in=("acme", "zeta")).update(status=Listing.Status.ARCHIVED)
    first = growing.listings(scene, 10)[0]
    pages = [first.path, "/search?q=boats", "/categories/boats"]
    in_week = f"/listings?q=boats&category=boats&week={launch_weeks.current_week()}"
    searches = ["/listings?q=boats", "/listings?q=boa pap", in_week, "/listings?q=baots", "/listings"]
    asks = {
        (path, user): ask(path, user)
        for ask, paths in ((opening, pages), (calling, searches))
        for path in paths
        for user in (None, scene.person)
    }
    for ask in asks.values():
        ask()
    few = {name: queries(ask) for name, ask in asks.items()}
    growing.listings(scene, 9_990)
    with connection.cursor() as cursor:
        # Autovacuum sees nothing of a transaction, and plans for ten rows are no plans for thousands.
        cursor.execute("ANALYZE")
    assert Listing.objects.public().count() == 10_000
    assert {name: queries(ask) for name, ask in asks.items()} == few
    assert max(few.values()) <= 16
