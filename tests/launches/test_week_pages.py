"""The coming weeks in the browser: what a bar shows, and what is said beside it."""

from typing import Any

import pytest
from django.test import Client
from lxml import html

from apps.launches.calendar import launch_weeks
from apps.launches.models import LaunchWeek
from apps.sites.models import Site
from tests.factories import ListingFactory

pytestmark = pytest.mark.db


def rows(client: Client) -> Any:
    return html.document_fromstring(client.get("/weeks").content).xpath("//tbody/tr")


def test_a_bar_is_as_full_as_the_week(client: Client, site: Site) -> None:
    week = str(launch_weeks.current_week() + 5)
    LaunchWeek.objects.create(site=site, iso_week=week, free_places=4, paid_places=2)
    for plan in ("free", "paid", "paid"):
        ListingFactory.create(status="scheduled", plan=plan, launch_week=week)
    free, paid = rows(client)[5].xpath("td")[1:]
    assert [(bar.get("value"), bar.get("max")) for bar in (*free.iter("progress"), *paid.iter("progress"))] == [
        ("1", "4"),
        ("2", "2"),
    ]
    assert " ".join(free.text_content().split()) == "3 left of 4"
    assert paid.text_content().strip() == "Full"


def test_an_empty_week_has_an_empty_bar(client: Client, site: Site) -> None:
    [bar] = rows(client)[0].iter("progress")
    assert bar.get("value") == "0"
