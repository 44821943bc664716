"""Moderators decide about what was reported, on one page for all kinds."""

from typing import Any

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import connection
from lxml import html

from apps.core.admin.metrics import needs_of
from apps.core.errors import DomainError
from apps.core.models import OutgoingEmail
from apps.moderation.kinds import kinds
from apps.moderation.models import Case, Decision, Report
from apps.moderation.services.decisions import keep_reported
from apps.notifications.inbox import list_notifications
from apps.notifications.texts import TEXTS
from tests.actors import by_team
from tests.browsing import signed_in
from tests.factories import UserFactory
from tests.moderation.world import KINDS, World, moderator

pytestmark = pytest.mark.db

LIST = "/admin/moderation/case/"


def page_of(case: Case, name: str = "change") -> str:
    return f"{LIST}{case.pk}/{name}/" if name == "change" else f"{LIST}{case.pk}/{name.replace('_', '-')}"


def is_public(world: World, kind: str) -> bool:
    written = kinds()[kind].public(world.site)
    return bool(written.filter(pk=world.rows[kind].pk).exists())


def post(user: Any, case: Case, decision: str, **sent: str) -> Any:
    from django.urls import reverse

    address = reverse(f"admin:moderation_case_{decision}_one", args=[case.pk])
    return signed_in(user).post(address, {"confirmed": "yes", **sent})


def test_the_queue_has_the_reasons_of_open_reports(world: World) -> None:
    for reason in ("spam", "abuse", "spam"):
        world.report("comment", reason=reason)
    keep_reported(case=Case.objects.get(), by=by_team(moderator()))
    for reason in ("spam", "false", "spam"):
        world.report("comment", reason=reason)
    tree: Any = html.fromstring(signed_in(moderator()).get(LIST).content)
    [cell] = tree.xpath("//td[contains(@class, 'field-reasons')]")
    assert cell.text_content().strip() == "False or misleading, Spam or advertising"


@pytest.mark.parametrize("kind", KINDS)
def test_removing_and_restoring_each_kind(world: World, kind: str) -> None:
    reporters, staff = [UserFactory.create(), UserFactory.create()], moderator()
    for reporter in reporters:
        world.report(kind, by=reporter)
    case, before = Case.objects.get(), kinds()[kind].written(world.rows[kind]).text
    assert post(staff, case, "remove").status_code == 200
    assert post(staff, case, "remove", reason="Against the rules.", note="Second time").status_code == 302
    # A cleared profile still has its page.
    assert is_public(world, kind) == (kind == "founder_profile")
    assert not Report.objects.open().exists()
    decision = Decision.objects.get()
    assert (decision.action, decision.by, decision.author) == ("removed", staff, world.author_of(kind))
    assert (decision.reason, decision.note, decision.text) == ("Against the rules.", "Second time", before)
    email = OutgoingEmail.objects.get(to=world.author_of(kind).email, text__contains="Against the rules.")
    assert f"/account/decisions/{decision.pk}/appeal" in email.text
    assert "Second time" not in email.text
    assert not any(reporter.email in email.text for reporter in reporters)
    connection.check_constraints()
    for reporter in reporters:
        [told] = list_notifications(reporter).items
        assert told.text == TEXTS["report.decided"].sentence.format(action="removed")
    assert post(staff, case, "restore", note="A mistake").status_code == 302
    row = kinds()[kind].find(case.object_id)
    assert kinds()[kind].written(row).text == before
    if kind != "story":  # Its rules apply again.
        assert is_public(world, kind)
    assert [one.action for one in case.decisions.all()] == ["restored", "removed"]


@pytest.mark.parametrize("kind", KINDS)
def test_keeping_closes_the_reports(world: World, kind: str) -> None:
    report = world.report(kind)
    assert post(moderator(), report.case, "keep", note="Fine").status_code == 302
    report.refresh_from_db()
    assert report.closed_at
    assert report.outcome == "Kept despite reports"
    assert is_public(world, kind)
    assert not OutgoingEmail.objects.filter(to=world.author_of(kind).email, text__contains="report").exists()
    # It can be reported again.
    world.report(kind, by=report.reporter)
    assert Case.objects.open().get() == report.case


def test_the_queue_has_the_oldest_report_first(world: World) -> None:
    for kind in ("update", "comment", "story"):
        world.report(kind)
    world.report("update")
    keep_reported(case=Case.objects.get(kind="comment"), by=by_team(moderator()))
    [need] = needs_of(Case)
    assert need.count() == 2
    client = signed_in(moderator())
    answer = client.get(LIST)
    assert [row.kind for row in answer.context["cl"].result_list] == ["update", "story"]
    assert [row.open_count for row in answer.context["cl"].result_list] == [2, 1]
    for status, expected in {"closed": ["comment"], "all": ["update", "story", "comment"]}.items():
        shown = client.get(LIST, {"status": status}).context["cl"].result_list
        assert [row.kind for row in shown] == expected
    shown = client.get(LIST, {"waits": "reported"}).context["cl"].result_list
    assert [row.kind for row in shown] == ["update", "story"]


def test_bulk_decisions_are_confirmed_first(world: World) -> None:
    for kind in ("update", "comment", "milestone"):
        world.report(kind)
    client = signed_in(moderator())
    chosen = {"action": "remove", ACTION_CHECKBOX_NAME: [str(case.pk) for case in Case.objects.all()]}
    page = client.post(LIST, chosen)
    assert page.status_code == 200
    assert "An ad." in page.content.decode()
    assert not Decision.objects.exists()
    client.post(LIST, {**chosen, "confirmed": "yes", "reason": "Spam."})
    assert Decision.objects.filter(action="removed", reason="Spam.").count() == 3


def test_others_decide_nothing(world: World) -> None:
    report = world.report("comment")
    viewer = moderator()
    viewer.user_permissions.remove(*viewer.user_permissions.filter(codename__startswith="change"))
    post(viewer, report.case, "remove", reason="No.")
    post(UserFactory.create(), report.case, "remove", reason="No.")
    assert is_public(world, "comment")
    assert not Decision.objects.exists()


def test_decisions_are_never_changed(world: World) -> None:
    report = world.report("comment")
    decision = keep_reported(case=report.case, by=by_team(moderator()))
    decision.reason = "Something else"
    with pytest.raises(TypeError):
        decision.save()


@pytest.mark.parametrize("reason", ["", " \u202e", "x" * 301])
def test_no_removal_without_a_reason(world: World, reason: str) -> None:
    kind = kinds()["comment"]
    with pytest.raises(DomainError) as caught:
        kind.remove(world.rows["comment"], reason=reason, note="", by=by_team(moderator()))
    assert caught.value.status == 422
    assert is_public(world, "comment")


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_shows_what_happened_since(world: World, kind: str) -> None:
    report = world.report(kind)
    page = signed_in(moderator()).get(f"{LIST}{report.case.pk}/change/").content.decode()
    assert "An ad." in page
    assert "As reported." in page
    assert "Moderation history" in page


def test_a_deleted_comment_closes_its_reports(world: World) -> None:
    from apps.comments.services.writing import delete_comment
    from tests.actors import in_browser

    report = world.report("comment")
    delete_comment(comment=world.rows["comment"], by=in_browser(world.author))
    report.refresh_from_db()
    assert (report.outcome, report.decision) == ("No longer there", None)
    page = signed_in(moderator()).get(f"{LIST}{report.case.pk}/change/")
    assert page.status_code == 200


@pytest.mark.parametrize("kind", ["milestone", "collection"])
def test_what_is_gone_by_the_confirmation_is_not_removed(world: World, kind: str) -> None:
    report = world.report(kind)
    world.rows[kind].delete()
    assert post(moderator(), report.case, "remove", reason="Spam.").status_code == 302
    assert not Decision.objects.exists()
