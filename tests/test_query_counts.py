"""Every page and list asks the database as often for many rows as for few."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.launches.calendar import launch_weeks
from apps.listings.models import Listing
from apps.orders.api.order_serializers import IN_DETAILS
from apps.sites.models import Site
from apps.sites.seo.sitemaps import sections
from tests import growing
from tests.api import ApiClient
from tests.growing import COLLECTION, WEEK, YEAR, Grow, Scene, make_scene
from tests.process_caches import forget_everything

pytestmark = pytest.mark.db

FEW = 3
MORE = 40
# What grows, and the pages that show it, each with its number of queries.
PAGES: dict[Grow, dict[str, int]] = {
    growing.listings: {
        "/": 7,
        "/boards/community-all-time": 6,
        "/boards/community-monthly": 6,
        "/boards/community-weekly": 7,
        "/boards/community-weekly?category=boats": 8,
        "/boards/community-yearly": 6,
        "/categories/boats": 8,
        "/founders/ada-example": 8,
        "/listings/acme": 9,
        "/newsletter": 10,
        "/pricing": 12,
        "/search": 4,
        "/search?q=-nothing": 4,
        "/search?q=baots": 9,
        "/search?q=boats": 5,
        "/search?q=boats&category=boats": 6,
        "/stories": 3,
        "/stories/acme": 7,
        "/updates": 3,
        "/updates.atom": 3,
        "/weeks": 8,
    },
    growing.contents: {
        "/compare/acme-vs-zeta": 5,
        "/listings/acme": 10,
        "/listings/acme/updates.atom": 3,
    },
    growing.comments: {
        "/listings/acme": 10,
        "/listings/acme/comments": 4,
        "/listings/acme/comments.atom": 3,
    },
    growing.collected: {
        f"/collections/{COLLECTION}-boats": 8,
        f"/collections/{COLLECTION}-boats.atom": 3,
    },
    growing.collections: {
        "/collections": 4,
        "/collections?sort=followed": 4,
        "/listings/acme": 10,
    },
    growing.reviews: {
        "/": 7,
        "/boards/community-weekly": 7,
        "/listings/acme": 10,
        "/listings/acme/reviews": 3,
        "/listings/acme/reviews.atom": 3,
    },
    growing.categories: {"/categories": 3},
    growing.founders: {"/founders": 5},
    growing.answers: {
        "/founders/ada-example": 8,
        "/stories/acme": 7,
    },
    growing.placements: {
        "/": 8,
        "/categories/boats": 9,
    },
    growing.past_boards: {
        f"/boards?year={YEAR}": 4,
        "/ledgers": 3,
    },
    growing.past_launches: {f"/boards/community-weekly?week={WEEK}": 7},
}
SITEMAPS: dict[Grow, dict[str, int]] = {
    growing.past_boards: {
        "boards": 2,
        "categories": 2,
        "collections": 3,
        "comparisons": 2,
        "founders": 5,
        "listings": 3,
        "pages": 2,
        "sales": 3,
        "stories": 5,
        "updates": 2,
    },
    growing.categories: {"categories": 2},
    growing.collections: {"collections": 4},
    growing.founders: {"founders": 5},
}
OWN_PAGES: dict[Grow, dict[str, int]] = {
    growing.listings: {
        "/account": 18,
        "/account/following": 8,
    },
    growing.founders: {"/account/following": 9},
    growing.collections: {"/account/following": 8},
    growing.own_collections: {
        "/account/collections": 6,
        "/listings/acme/save": 8,
    },
    growing.collected: {f"/collections/{COLLECTION}-boats/edit": 7},
    growing.waiting: {"/account": 18},
    growing.drafts: {"/drafts": 7},
    growing.reviews: {"/listings/acme/reviews/manage": 10},
    growing.orders: {"/orders": 13},
    growing.keys: {"/account/keys": 7},
    growing.notifications: {"/notifications": 9},
    growing.cases: {"/account/decisions": 7},
    growing.answers: {
        "/account/interview": 10,
        "/account/interview/history": 9,
    },
    growing.story_versions: {"/listings/acme/story/history": 11},
    growing.listing_versions: {"/listings/acme/history": 10},
}
ADMIN_LISTS: dict[Grow, dict[str, int]] = {
    growing.listings: {
        "listings/listing": 8,
        "stories/founderstory": 8,
    },
    growing.founders: {"accounts/founderprofile": 7},
    growing.cases: {
        "moderation/appeal": 8,
        "moderation/case": 8,
        "moderation/decision": 8,
    },
    growing.catalogs: {
        "orders/product": 8,
        "orders/productversion": 9,
    },
}
OPERATIONS: dict[Grow, dict[str, int]] = {
    growing.listings: {
        "/leaderboards/community-all-time": 5,
        "/leaderboards/community-monthly": 5,
        "/leaderboards/community-weekly": 6,
        "/leaderboards/community-weekly?category=boats": 7,
        "/leaderboards/community-yearly": 5,
        "/listings": 3,
        "/listings?q=baots": 8,
        "/listings?q=boats": 4,
        "/listings?q=boats&category=boats": 5,
        "/me/listings": 2,
    },
    growing.past_launches: {f"/leaderboards/community-weekly?week={WEEK}": 6},
    growing.listing_versions: {
        "/me/listings/{id}": 5,
        "/me/listings/{id}?include=versions": 6,
    },
    growing.comments: {"/listings/acme/comments": 5},
    growing.reviews: {"/listings/acme/reviews": 5},
    growing.orders: {"/orders": 9},
    growing.launches: {"/orders": 9},
    growing.paid_orders: {f"/orders?per_page=100&include={','.join(IN_DETAILS)}": 10},
    growing.products: {"/products": 7},
}
SLOW: set[Grow] = {growing.orders, growing.launches, growing.paid_orders}


def rows(table: dict[Grow, dict[str, int]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("path", "grow", "number"),
        [
            pytest.param(path, grow, number, id=f"{path}-{grow.__name__}", marks=marks)
            for grow, paths in table.items()
            for marks in [[pytest.mark.slow] if grow in SLOW else []]
            for path, number in paths.items()
        ],
    )


@pytest.fixture(autouse=True)
def _still() -> Iterator[None]:
    """It stays one Thursday noon: what is done once a minute or at the end of a week adds no query."""
    with time_machine.travel("2026-11-26 12:00Z", tick=False):
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


def counts(scene: Scene, grow: Grow, ask: Callable[[], Any]) -> tuple[int, int]:
    """Return the queries for few and for many rows, without those that only a session's first request makes."""
    ask()
    grow(scene, FEW)
    few = queries(ask)
    grow(scene, MORE)
    return few, queries(ask)


@rows(PAGES)
def test_pages_for_visitors(scene: Scene, path: str, grow: Grow, number: int) -> None:
    assert counts(scene, grow, opening(path, None)) == (number, number)


@rows(PAGES)
def test_pages_for_people(scene: Scene, path: str, grow: Grow, number: int) -> None:
    """The session, the account, its unread notifications and its votes are read besides."""
    few, many = counts(scene, grow, opening(path, scene.person))
    assert number < few == many <= number + 6


@rows(SITEMAPS)
def test_sitemaps(scene: Scene, path: str, grow: Grow, number: int) -> None:
    assert counts(scene, grow, opening(f"/sitemap-{path}.xml", None)) == (number, number)


def test_every_sitemap_is_in_the_table(site: Site) -> None:
    assert {name for names in SITEMAPS.values() for name in names} == set(sections())


@rows(OWN_PAGES)
def test_own_pages(scene: Scene, path: str, grow: Grow, number: int) -> None:
    assert counts(scene, grow, opening(path, scene.person)) == (number, number)


@rows(ADMIN_LISTS)
def test_admin_lists(scene: Scene, member: User, path: str, grow: Grow, number: int) -> None:
    assert counts(scene, grow, opening(f"/admin/{path}/", member)) == (number, number)


@rows(OPERATIONS)
def test_operations(scene: Scene, path: str, grow: Grow, number: int) -> None:
    assert counts(scene, grow, calling(path.format(id=scene.listing.pk), scene.person)) == (number, number)


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
