"""The version history as its owner reads it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.listings.models import Listing
from apps.listings.services.editing import update_my_listing
from tests.factories import ListingFactory, UserFactory
from tests.listings.owner.browsing import by, html_of

pytestmark = pytest.mark.django_db


def test_the_history_says_who_by_what_and_what(browser: Client, person: User, listing: Listing) -> None:
    long = " ".join(f"word{number}" for number in range(200))
    steps: list[tuple[Actor, dict[str, Any]]] = [
        (Actor(user=person, via="browser"), {"headline": "The quick brown fox"}),
        (Actor(user=person, via="key", credential="Build script"), {"headline": "The quick red fox"}),
        (by(person), {"description": long, "tags": ["one", "two"]}),
        (Actor(user=UserFactory.create(name="Team Member", is_staff=True), via="admin"), {"tags": ["two", "three"]}),
        (by(person), {"description": long.replace("word100", "changed"), "city": "Riga"}),
    ]
    for actor, fields in steps:
        update_my_listing(listing=Listing.objects.get(pk=listing.pk), fields=fields, by=actor)
    html = html_of(browser.get(f"{listing.path}/history"))
    for text in ("in the browser", "with the API key Build script", "by An assistant", "The site team", "All sites"):
        assert text in html
    assert "Team Member" not in html
    assert "<del>brown</del><ins>red</ins>" in html
    assert "<del>word100</del><ins>changed</ins>" in html
    assert "<del>one</del>" in html
    assert "<ins>three</ins>" in html
    assert html.index("Riga") < html.index("Build script")


def test_the_history_is_paged_with_a_fixed_number_of_queries(
    browser: Client, person: User, listing: Listing, django_assert_num_queries: Callable[[int], Any]
) -> None:
    def edit(number: int) -> None:
        fresh = Listing.objects.select_related("company").get(pk=listing.pk)
        actor = Actor(user=UserFactory.create(), via="admin") if number % 2 else by(person)
        update_my_listing(listing=fresh, fields={"headline": f"Headline {number}", "city": f"City {number}"}, by=actor)

    for number in range(3):
        edit(number)
    browser.get("/account/profile")
    with CaptureQueriesContext(connection) as few:
        browser.get(f"{listing.path}/history")
    for number in range(3, 30):
        edit(number)
    with django_assert_num_queries(len(few)):
        first = html_of(browser.get(f"{listing.path}/history"))
    assert first.count("<article") == 10
    assert "<ins>29</ins>" in first
    assert "<ins>19</ins>" not in first
    assert "?page=2" in first
    assert "<ins>5</ins>" in html_of(browser.get(f"{listing.path}/history?page=3"))


def test_the_history_of_others_does_not_show(browser: Client, person: User, listing: Listing) -> None:
    other = ListingFactory.create(live=True)
    update_my_listing(listing=other, fields={"headline": "Of another company"}, by=by(other.company.owner))
    assert "Of another company" not in html_of(browser.get(f"{listing.path}/history"))
