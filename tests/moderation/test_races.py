"""Reports, decisions and appeals that meet: each happens completely, and once."""

from functools import partial

import pytest

from apps.comments.services.moderation import remove_comment
from apps.moderation.kinds import kinds
from apps.moderation.models import Appeal, Case, Decision, Report
from apps.moderation.services.appeals import deny_appeal, grant_appeal, send_appeal
from apps.moderation.services.reports import report
from apps.sites.models import Site
from tests.actors import by_team, in_browser
from tests.factories import UserFactory
from tests.moderation.world import World, make_world
from tests.racing import count_outcomes

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world(site: Site) -> World:
    return make_world(site)


def test_first_reports_at_the_same_moment_share_a_case(world: World) -> None:
    people = [in_browser(UserFactory.create()) for _ in range(3)]
    about = {"kind": kinds()["comment"], "row": world.rows["comment"], "reason": "spam"}
    calls = [partial(report, **about, by=by) for by in people]
    assert count_outcomes(*calls, *calls) == {"done": 6}
    assert Case.objects.count() == 1
    assert Report.objects.count() == 3


def test_a_report_and_a_removal(world: World) -> None:
    world.report("comment")
    comment, staff = world.rows["comment"], UserFactory.create(is_staff=True)
    later = partial(report, kind=kinds()["comment"], row=comment, reason="spam", by=in_browser(UserFactory.create()))
    outcomes = count_outcomes(later, partial(remove_comment, comment=comment, reason="Rude.", by=by_team(staff)))
    assert outcomes in ({"done": 2}, {"done": 1, "not_reportable": 1})
    assert not Report.objects.open().exists()


def test_two_appeals_and_two_answers(world: World) -> None:
    staff = [by_team(UserFactory.create(is_staff=True)) for _ in range(2)]
    remove_comment(comment=world.rows["comment"], reason="Rude.", by=staff[0])
    send = partial(send_appeal, decision=Decision.objects.get(), text="Why?", by=in_browser(world.author))
    assert count_outcomes(send, send) == {"done": 1, "not_appealable": 1}
    appeal = Appeal.objects.get()
    outcomes = count_outcomes(
        partial(grant_appeal, appeal=appeal, answer="Right.", by=staff[0]),
        partial(deny_appeal, appeal=appeal, answer="No.", by=staff[1]),
    )
    assert outcomes == {"done": 1, "already_decided": 1}
