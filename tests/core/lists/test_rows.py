"""Lists read as rows equal, byte for byte, what their serializers render from model objects."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework import serializers

from apps.core.api.lists.rows import Rows, choose
from apps.core.api.renderers import OrjsonRenderer
from apps.core.stores.postgresql.statements import Parameter, Statement, compiled
from apps.core.text.weeks import Week
from apps.launches.api.serializers import LeaderboardItemSerializer
from apps.launches.leaderboards.periods import Board, period_of
from apps.launches.leaderboards.ranking import ranked
from apps.launches.models import Standing
from apps.listings import search
from apps.listings.api.serializers import MyListingSummarySerializer, PublicListingSerializer
from apps.listings.models import Category, Listing
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import CategoryFactory, ListingFactory, SiteFactory
from tests.launches.voting import play_week
from tests.listings.statuses import in_status

pytestmark = pytest.mark.django_db

NAMES = [
    "Zoë’s Übersicht",
    "日本語の名前",
    'A "quoted" \\ name',
    "100 % & <b>bold</b>",
    "\u202eright\u202c to left",
    "🚢",
]


def items_of(answer: Any) -> bytes:
    """The bytes of an answer's items, which come first."""
    assert answer.status_code == 200
    body: bytes = answer.content
    assert body.count(b'],"page":') == 1
    return body[body.index(b'"items":') + len(b'"items":') : body.index(b',"page":')]


def declared(serializer: type[serializers.Serializer[Any]], objects: Iterable[Any]) -> bytes:
    return OrjsonRenderer().render(serializer(list(objects), many=True).data)


def by_id(answer: Any) -> list[Listing]:
    """The listings of an answer, as the pages load them, in its order."""
    ids = [item["id"] for item in answer.json()["items"]]
    result = Listing.objects.with_details().in_bulk(ids)
    return [result[pk] for pk in ids]


@pytest.fixture
def elsewhere(db: None) -> Site:
    made: Site = SiteFactory.create(host="elsewhere.localhost")
    CategoryFactory.create(site=made, slug="b")
    return made


@pytest.fixture
def categories(site: Site) -> list[Category]:
    """Their order is by position, then by name, which is neither that of their slugs nor of their ids."""
    return [
        CategoryFactory.create(site=site, slug="a", name="Last", position=2),
        CategoryFactory.create(site=site, slug="b", name="Ö", position=1),
        CategoryFactory.create(site=site, slug="c", name="N", position=1),
    ]


@pytest.fixture
def varied(owner: ApiClient, site: Site, elsewhere: Site, categories: list[Category]) -> None:
    """Listings of one owner in every state, on two sites, with and without whatever may be missing."""
    for number, name in enumerate(NAMES):
        listing = ListingFactory.create(
            live=True,
            company__owner=owner.user,
            company__name=name,
            company__logo_url="" if number % 2 else f"https://logos.example/{number}.svg?a=1&b=ü",
            company__logo_key="" if number % 4 else f"pictures/{number}",
            headline=f"Boats {name}",
            votes=number,
            launched_at=datetime(2026, 11, 16, 9, number, 0, 123_456 if number % 2 else 0, tzinfo=UTC),
            site=elsewhere if number == 1 else site,
        )
        if number != 1:
            listing.categories.set(categories[: number % 4])
        # The votes of a search follow those of the board.
        Standing.objects.filter(listing=listing).update(votes=100 - number)
    Standing.objects.filter(pk__in=Standing.objects.order_by("pk").values("pk")[:1]).delete()
    for status in Listing.Status.values:
        in_status(status, company__owner=owner.user, headline="")


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"per_page": "2", "page": "2"},
        {"page": "9"},
        {"q": "boats"},
        {"q": "baots"},
        {"q": "日本"},
        {"q": "boats", "per_page": "3"},
        {"q": "xqxqxqxq"},
        {"q": "-nothing"},
        {"category": "b"},
        {"category": "b", "q": "boats"},
        {"week": "2026-W01"},
        {"week": "now", "q": "boats"},
    ],
    ids=str,
)
@pytest.mark.parametrize("host", ["testserver.localhost", "elsewhere.localhost"])
def test_a_search(varied: None, query: dict[str, str], host: str) -> None:
    if query.get("week") == "now":
        query = {**query, "week": str(Week.of(datetime.now(UTC)))}
    answer = ApiClient(host=host).get("/listings", query)
    shown = by_id(answer)
    assert items_of(answer) == declared(PublicListingSerializer, shown)
    asked = Site.objects.for_host(host)
    result = search.find_listings(
        site=asked,
        text=query.get("q", ""),
        category=Category.objects.filter(site=asked, slug=query.get("category", "")).first(),
        week=Week.parse(query["week"]) if "week" in query else None,
        page=int(query.get("page", 1)),
        per_page=int(query.get("per_page", 20)),
    )
    assert shown == result.items
    body = answer.json()
    assert (body["total"], body["next"] is not None) == (result.total, result.has_next)


@pytest.mark.parametrize("query", [{}, {"per_page": "3"}, {"per_page": "3", "page": "2"}, {"page": "7"}], ids=str)
def test_own_listings(varied: None, owner: ApiClient, query: dict[str, str]) -> None:
    answer = owner.get("/me/listings", query)
    assert items_of(answer) == declared(MyListingSummarySerializer, by_id(answer))
    assert answer.json()["total"] == len(NAMES) + len(Listing.Status.values)


@pytest.mark.parametrize("query", [{}, {"category": "b"}, {"per_page": "2", "page": "2"}, {"page": "9"}], ids=str)
@pytest.mark.parametrize("host", ["testserver.localhost", "elsewhere.localhost"])
@pytest.mark.parametrize("board", Board)
def test_a_leaderboard(varied: None, board: Board, query: dict[str, str], host: str) -> None:
    play_week(Site.objects.for_host(host))
    answer = ApiClient(host=host).get(f"/leaderboards/{board}", query)
    standings = ranked(Site.objects.for_host(host), period_of(board), category=query.get("category", ""))
    per_page = int(query.get("per_page", 20))
    start = (int(query.get("page", 1)) - 1) * per_page
    assert items_of(answer) == declared(LeaderboardItemSerializer, standings[start : start + per_page])
    body = answer.json()
    assert (body["total"], body["next"] is not None) == (standings.count(), standings.count() > start + per_page)


class IdSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    slug = serializers.CharField()
    submitted_at = serializers.DateTimeField()


def of_site() -> Any:
    return choose(Listing.objects.filter(site=Parameter("site"), status="live").order_by("slug"))


def test_a_page_is_one_statement_whether_it_has_rows_or_not(site: Site) -> None:
    made = [ListingFactory.create(live=True, slug=slug) for slug in "cab"]
    rows = Rows(Listing, IdSerializer)
    for page, slugs, has_next in ((1, ["a", "b"], True), (2, ["c"], False), (3, [], False)):
        with CaptureQueriesContext(connection) as captured:
            result = rows.page(of_site(), {"site": site.pk}, page=page, per_page=2)
        assert len(captured) == 1
        assert ([item["slug"] for item in result.items], result.total, result.has_next) == (slugs, len(made), has_next)


def test_a_field_that_is_no_column_has_to_be_explained(site: Site) -> None:
    class Computed(IdSerializer):
        more = serializers.SerializerMethodField()

    with pytest.raises(ImproperlyConfigured, match=r"Computed\.more"):
        Rows(Listing, Computed).page(of_site(), {"site": site.pk}, page=1, per_page=1)


def test_percent_signs_and_values_of_a_compiled_queryset_stay(site: Site) -> None:
    ListingFactory.create(live=True, headline="50 % off", company__name="Sale")
    queryset = Listing.objects.filter(headline__contains="%", company__name=Parameter("name")).extra(  # noqa: S610 - no value of anybody's
        where=["headline LIKE '50 %%'"]
    )
    statement = compiled(queryset.values("slug"), prefix="x")
    assert list(statement.constants.values()) == [r"%\%%"]
    assert len(statement.run({"name": "Sale"})) == 1
    assert statement.run({"name": "Sail"}) == []


def test_the_ids_of_a_page_are_chosen_once(site: Site) -> None:
    made = ListingFactory.create()
    with connection.cursor() as cursor:
        cursor.execute("""
            CREATE TEMPORARY SEQUENCE choices;
            CREATE FUNCTION pg_temp.chosen(id bigint) RETURNS bigint[] LANGUAGE plpgsql STABLE AS
            'BEGIN PERFORM nextval(''choices''); RETURN ARRAY[id]; END'""")
        choice = Statement("SELECT pg_temp.chosen(%(id)s) AS ids, 1 AS total")
        result = Rows(Listing, slug="slug").page(choice, {"id": made.pk}, page=1, per_page=2)
        cursor.execute("SELECT currval('choices')")
        assert cursor.fetchone() == (1,)
    assert result.items == [{"slug": made.slug}]


def test_items_by_id_are_in_the_order_of_the_ids(site: Site) -> None:
    first, second, gone = (ListingFactory.create(slug=slug).pk for slug in "abc")
    Listing.objects.filter(pk=gone).delete()
    rows = Rows(Listing, slug="slug", name="company__name")
    assert [item["slug"] for item in rows.of([second, gone, first])] == ["b", "a"]
    assert rows.of([]) == []
