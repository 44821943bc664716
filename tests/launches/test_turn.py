from datetime import timedelta

import pytest
import time_machine

from apps.core.states import IllegalTransition
from apps.core.weeks import Week
from apps.launches import calendar, turn
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import ListingFactory

Status = Listing.Status


def test_it_publishes_what_is_due_catches_up_and_runs_twice_without_harm(site: Site) -> None:
    now = calendar.current_week()
    listings = [
        ListingFactory.create(status=Status.SCHEDULED, plan="free", launch_week=str(now + ahead)) for ahead in (1, 2, 5)
    ]
    with time_machine.travel((now + 3).starts_at + timedelta(hours=1), tick=False):
        assert turn.turn_week() == 2
        assert turn.turn_week() == 0
    for listing in listings:
        listing.refresh_from_db()
    assert [listing.status for listing in listings] == ["live", "live", "scheduled"]
    assert [listing.launch_week for listing in listings] == [str(now + ahead) for ahead in (1, 2, 5)]


def test_the_week_begins_on_monday_at_midnight_utc(site: Site) -> None:
    week = Week.parse("2027-W01")
    ListingFactory.create(status=Status.SCHEDULED, plan="free", launch_week=str(week))
    with time_machine.travel(week.starts_at - timedelta(seconds=1), tick=False):
        assert turn.turn_week() == 0
    with time_machine.travel(week.starts_at, tick=False):
        assert turn.turn_week() == 1


ALLOWED = {
    "draft": {"awaiting_badge", "in_review", "scheduled", "live"},
    "in_review": {"draft", "rejected"},
    "rejected": set(),
    "awaiting_badge": {"scheduled", "live"},
    "scheduled": {"awaiting_badge", "live", "suspended"},
    "live": {"archived", "suspended"},
    "archived": {"suspended"},
    "suspended": {"scheduled", "live", "archived"},
}


@pytest.mark.parametrize("target", Status.values)
@pytest.mark.parametrize("status", Status.values)
def test_every_pair_of_states(status: str, target: str) -> None:
    listing = Listing(status=status)
    if target == status or target in ALLOWED[status]:
        listing.move_to(target)
        assert listing.status == target
    else:
        with pytest.raises(IllegalTransition):
            listing.move_to(target)
        assert listing.status == status
