"""Any week: whatever happens in it, the script's ranks, the published ones and the standings are the same."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import time_machine
from django.db import transaction

from apps.core.text.weeks import Week
from apps.launches.models import LedgerEntry, Standing, VoteLedger
from apps.launches.votes.rankings import close_boards
from apps.launches.votes.voting import NotVotable, toggle_vote
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.actors import in_browser
from tests.api import ApiClient
from tests.factories import ListingFactory
from tests.launches.test_votes import assert_chain
from tests.launches.voting import WEEK, download, entries_of, moment, person, verify
from tests.properties import HealthCheck, given, settings, st

pytestmark = pytest.mark.db

PEOPLE = 5
LISTINGS = 4

votes = st.tuples(st.just("vote"), st.integers(0, PEOPLE), st.integers(0, LISTINGS - 1))
others = st.tuples(st.sampled_from(["launch", "suspend", "restore"]), st.just(0), st.integers(0, LISTINGS - 1))
weeks = st.lists(st.one_of(votes, votes, votes, others), max_size=30)


class Played:
    """A week's listings, launched one after the other, and the people who vote for them."""

    def __init__(self) -> None:
        self.people = [person(days_old=2 if number == 0 else 30) for number in range(PEOPLE)]
        self.listings = [ListingFactory.create(live=True)]

    def do(self, what: str, who: int, which: int) -> None:
        listing = self.listings[which % len(self.listings)]
        steps: dict[str, Callable[[], object]] = {
            "vote": lambda: self.vote(listing, who),
            "launch": lambda: self.listings.append(ListingFactory.create(live=True)),
            "suspend": lambda: move(listing, "live", status="suspended", suspended_from="live"),
            "restore": lambda: move(listing, "suspended", status="live", suspended_from=""),
        }
        steps[what]()

    def vote(self, listing: Listing, who: int) -> None:
        voter = self.people[who] if who < PEOPLE else listing.company.owner
        status = Listing.objects.get(pk=listing.pk).status
        try:
            with transaction.atomic():
                toggle_vote(listing=listing, by=in_browser(voter))
        except NotVotable:
            assert status == "suspended"
        else:
            assert status == "live"


def move(listing: Listing, before: str, **fields: str) -> None:
    Listing.objects.filter(pk=listing.pk, status=before).update(**fields)


@pytest.mark.slow
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=weeks)
def test_the_scripts_ranks_are_the_published_ones(db: Any, steps: list[tuple[str, int, int]]) -> None:
    with transaction.atomic(), TemporaryDirectory() as folder:
        site = Site.objects.get(is_default=True)
        with moment(hours=10):
            played = Played()
        for number, step in enumerate(steps):
            with time_machine.travel(WEEK.starts_at.timestamp() + 40_000 + 600 * number, tick=False):
                played.do(*step)
        with moment(WEEK + 1, hours=0):
            assert close_boards() == 1
        assert_agrees(site, WEEK, Path(folder))
        transaction.set_rollback(True)


def assert_agrees(site: Site, week: Week, folder: Path) -> None:
    """Ledger, script, answer of the API and standings say the same."""
    ledger = download(site, week)
    answer = ApiClient(host=site.host).get("/leaderboards/community-weekly", {"week": str(week), "per_page": "100"})
    code, said = verify(folder, ledger, board=answer.content)
    assert code == 0, said
    assert_chain(VoteLedger.objects.get(site=site, iso_week=str(week)))
    published = [(item["rank"], item["id"], item["votes"], item["points"]) for item in answer.json()["items"]]
    results = entries_of(ledger)[-1]["body"]["results"]
    assert published == [(row["rank"], row["listing"], row["votes"], row["points"]) for row in results]
    standings = Standing.objects.filter(site=site, iso_week=str(week))
    assert published == list(
        standings.exclude(rank=None).order_by("rank").values_list("rank", "listing", "votes", "points")
    )
    assert all(standing.votes == standing.listing.votes for standing in standings.select_related("listing"))
    left = {entry.body["listing"] for entry in LedgerEntry.objects.filter(ledger__site=site, kind="leave")}
    assert left == set(standings.filter(rank=None).values_list("listing", flat=True))
