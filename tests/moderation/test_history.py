"""The moderation history of an account, also after the account is erased."""

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.own_data.deletion import erase_account
from apps.moderation.models import Appeal, Case, Decision, Report
from apps.moderation.services.appeals import deny_appeal
from apps.moderation.services.decisions import keep_reported
from tests.actors import by_team
from tests.browsing import signed_in
from tests.factories import UserFactory
from tests.moderation.test_appeals import appeal_of
from tests.moderation.world import World, moderator

pytestmark = pytest.mark.db


def history(account: User) -> str:
    return reverse("admin:accounts_user_moderation_history", args=[account.pk])


def test_one_page_has_decisions_appeals_and_reports(world: World) -> None:
    staff = moderator()
    appeal = appeal_of(world, "update")
    deny_appeal(appeal=appeal, answer="Still advertising.", by=by_team(staff))
    report = world.report("comment", by=world.owner, note="Impolite")
    keep_reported(case=report.case, note="Polite enough", by=by_team(staff))
    page = signed_in(staff).get(history(world.owner)).content.decode()
    for text in ("Against the rules.", "Still advertising.", "Impolite", "Kept despite reports"):
        assert text in page
    assert "Polite enough" not in page
    assert "Polite enough" in signed_in(staff).get(history(world.author)).content.decode()
    assert (
        "Moderation history" in signed_in(staff).get(f"/admin/accounts/user/{world.owner.pk}/change/").content.decode()
    )
    assert signed_in(staff).get(history(world.owner).replace(str(world.owner.pk), "0")).status_code == 404


def test_others_read_no_history(world: World) -> None:
    viewer = UserFactory.create(is_staff=True)
    assert signed_in(viewer).get(history(world.owner)).status_code in {302, 403}
    assert signed_in(world.owner).get(history(world.owner)).status_code in {302, 403}


def test_an_erased_account_leaves_decisions_without_texts(world: World) -> None:
    appeal_of(world)
    world.report("listing", by=world.author)
    User.objects.filter(pk=world.author.pk).update(deletion_due_at=timezone.now())
    assert erase_account(world.author.pk)
    case = Case.objects.get(kind="comment")
    assert (case.title, case.text) == ("", "")
    decision = Decision.objects.get(case=case)
    assert (decision.action, decision.reason, decision.text, decision.kept) == (
        "removed",
        "Against the rules.",
        "",
        {},
    )
    assert not Appeal.objects.exists()
    assert not Report.objects.exists()
