"""Moves of rows through their states: each is one statement that saves, locks and checks."""

from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.core.states import IllegalTransition, moved
from apps.events.models import Event
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import CompanyFactory, ListingFactory
from tests.racing import run_at_once

Status = Listing.Status
pytestmark = pytest.mark.django_db


def types(listing: Listing) -> list[str]:
    return list(Event.objects.filter(object_id=listing.pk).order_by("id").values_list("type", flat=True))


def updates(queries: CaptureQueriesContext) -> list[str]:
    return [query["sql"] for query in queries.captured_queries if "listings_listing" in query["sql"]]


def test_one_statement_saves_the_status_and_the_columns() -> None:
    listing = ListingFactory.create()
    before = listing.updated_at
    listing.summary, listing.headline = "Not named", "Named"
    with CaptureQueriesContext(connection) as queries:
        listing.move_to(Status.SCHEDULED, "headline", launch_week="2026-W48", plan="free")

    (statement,) = updates(queries)
    assert statement.startswith("UPDATE")
    stored = Listing.objects.get(pk=listing.pk)
    assert (stored.status, stored.launch_week, stored.headline, stored.plan) == (
        "scheduled",
        "2026-W48",
        "Named",
        "free",
    )
    assert stored.summary != "Not named"
    assert stored.updated_at == listing.updated_at > before


def test_the_same_status_saves_the_columns_and_is_no_event() -> None:
    listing = ListingFactory.create()
    with CaptureQueriesContext(connection) as queries:
        listing.move_to(Status.DRAFT)
    assert not updates(queries)

    listing.move_to(Status.DRAFT, headline="Another one")
    assert Listing.objects.get(pk=listing.pk).headline == "Another one"
    assert types(listing) == ["listing.draft"]


def test_a_row_that_was_moved_meanwhile_is_refused() -> None:
    listing = ListingFactory.create()
    stale = Listing.objects.get(pk=listing.pk)
    listing.move_to(Status.AWAITING_BADGE)

    with pytest.raises(IllegalTransition, match="no longer draft"), transaction.atomic():
        stale.move_to(Status.ARCHIVED, headline="Stale")
    stored = Listing.objects.get(pk=listing.pk)
    assert (stored.status, stored.headline) == ("awaiting_badge", listing.headline)
    assert types(listing) == ["listing.draft", "listing.awaiting_badge"]


@pytest.mark.django_db(transaction=True)
def test_of_two_moves_at_once_one_is_refused() -> None:
    listing = ListingFactory.create()
    one, other = (Listing.objects.get(pk=listing.pk) for _ in range(2))
    results = run_at_once(lambda: one.move_to(Status.AWAITING_BADGE), lambda: other.move_to(Status.ARCHIVED))
    assert sorted(results, key=str) == [None, "illegal_transition"]
    assert types(listing) == ["listing.draft", f"listing.{Listing.objects.get(pk=listing.pk).status}"]


def test_a_move_whose_note_fails_is_not_saved() -> None:
    listing = ListingFactory.create()

    def fail(**_: Any) -> None:
        raise ValueError("no note")

    moved.connect(fail)
    try:
        with pytest.raises(ValueError, match="no note"), transaction.atomic():
            listing.move_to(Status.ARCHIVED)
    finally:
        moved.disconnect(fail)
    assert Listing.objects.get(pk=listing.pk).status == "draft"
    assert types(listing) == ["listing.draft"]


def test_a_new_row_is_saved_and_announced_before_its_move(site: Site) -> None:
    listing = Listing(company=CompanyFactory.create(), site=site, slug="new", headline="New")
    with CaptureQueriesContext(connection) as queries:
        listing.move_to(Status.IN_REVIEW)
    assert [statement.split()[0] for statement in updates(queries)] == ["INSERT"]
    result = Event.objects.filter(object_id=listing.pk).order_by("id")
    assert [(event.type, event.data["previous_status"]) for event in result] == [
        ("listing.draft", None),
        ("listing.in_review", "draft"),
    ]
