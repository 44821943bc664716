"""Searches that would take too long: they are answered with less, never with an error."""

from typing import Any

import pytest
from django.test import Client

from apps.core.stores.postgresql import statements
from apps.core.stores.postgresql.statements import TooSlowError, fetch_all
from apps.listings.search import correction, queries
from apps.sites.models import Site
from tests.factories import ListingFactory
from tests.process_caches import forget_everything
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)

PATIENT_MILLISECONDS = round(1000 * PATIENCE_SECONDS)


@pytest.fixture
def site(transactional_db: None) -> Site:
    return Site.objects.get(is_default=True)


@pytest.fixture(autouse=True)
def _limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow a moment for what sleeps, and for the rest as long as a busy machine may take."""

    def fetch(sql: str, values: Any, *, milliseconds: int | None = None) -> list[tuple[Any, ...]]:
        moment = 200 if "pg_sleep" in sql else PATIENT_MILLISECONDS
        return fetch_all(sql, values, milliseconds=milliseconds and moment)

    for module in (statements, correction):
        monkeypatch.setattr(module, "fetch_all", fetch)


def find(client: Client, text: str) -> list[int]:
    answer = client.get("/api/v1/listings", {"q": text})
    assert answer.status_code == 200
    return [item["id"] for item in answer.json()["items"]]


def test_a_beginning_of_names_that_takes_too_long_suggests_nothing_by_name(
    site: Site, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ListingFactory.create(live=True, company__name="Yawl")
    assert b"Yawl" in client.get("/search/suggestions", {"q": "ya"}).content
    sorted_sql = queries._sorted_sql
    monkeypatch.setattr(
        queries, "_sorted_sql", lambda condition, *rest: sorted_sql(f"{condition} AND pg_sleep(5) IS NOT NULL", *rest)
    )
    forget_everything()
    answer = client.get("/search/suggestions", {"q": "ya"})
    assert (answer.status_code, b"Yawl" in answer.content) == (200, False)


@pytest.mark.slow
def test_a_word_that_takes_too_long_is_answered_by_the_first_matches(
    site: Site, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (ListingFactory.create(live=True, headline="Maps of lakes") for _ in range(2))
    monkeypatch.setattr(
        queries, "_BEST_MENTIONS_SQL", ", mentions AS MATERIALIZED (SELECT id FROM matches, pg_sleep(5))"
    )
    assert find(client, "lakes") == [first.pk, second.pk]
    assert client.get("/search", {"q": "lakes"}).status_code == 200


def test_a_word_whose_correction_takes_too_long_is_not_corrected(
    site: Site, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing = ListingFactory.create(live=True, headline="Maps of harbours")
    assert find(client, "harburs") == [listing.pk]
    slow = f"{correction._LISTED_SQL} AND pg_sleep(5) IS NOT NULL"
    monkeypatch.setattr(correction, "_LISTED_SQL", slow.replace("AS word AND", "AS word WHERE"))
    forget_everything()
    assert find(client, "harburs") == []


def test_the_limit_ends_with_the_statement(site: Site) -> None:
    with pytest.raises(TooSlowError):
        fetch_all("SELECT pg_sleep(5)", None, milliseconds=50)
    assert fetch_all("SELECT current_setting('statement_timeout')", None) == [("0",)]
    assert fetch_all("SELECT %s::int", [7], milliseconds=PATIENT_MILLISECONDS) == [(7,)]
