"""Authors appeal a decision once, and a moderator answers."""

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from apps.accounts.models import User
from apps.blocklists.models import BlockRule
from apps.core.admin.metrics import needs_of
from apps.core.models import OutgoingEmail
from apps.moderation.admin.appeals import OWN
from apps.moderation.kinds import kinds
from apps.moderation.models import MAX_APPEAL, Appeal, Decision
from apps.moderation.services.appeals import AlreadyDecided, NotAppealable, deny_appeal, grant_appeal, send_appeal
from tests.actors import by_team, in_browser
from tests.browsing import signed_in
from tests.contributions.hostile import STRINGS
from tests.factories import UserFactory, api_key
from tests.moderation.world import KINDS, World, moderator

pytestmark = pytest.mark.db


def remove(world: World, kind: str = "comment", *, by: User | None = None) -> Decision:
    row = kinds()[kind].find(world.rows[kind].pk)
    kinds()[kind].remove(row, reason="Against the rules.", note="", by=by_team(by or moderator()))
    return Decision.objects.filter(action="removed").latest("pk")


def appeal_of(world: World, kind: str = "comment", *, by: User | None = None) -> Appeal:
    decision = remove(world, kind, by=by)
    return send_appeal(decision=decision, text="It was meant kindly.", by=in_browser(decision.author))


def address(decision: Decision) -> str:
    return reverse("appeal", args=[decision.pk])


def decide(staff: User, appeal: Appeal, name: str, **sent: str) -> Any:
    where = reverse(f"admin:moderation_appeal_{name}_one", args=[appeal.pk])
    return signed_in(staff).post(where, {"confirmed": "yes", **sent}) if sent else signed_in(staff).get(where)


def test_an_author_reads_and_appeals_once(world: World) -> None:
    decision, author = remove(world), signed_in(world.author)
    page = author.get("/account/decisions").content.decode()
    assert "Against the rules." in page
    assert decision.text
    assert decision.text in page
    assert 'href="/account/decisions"' in author.get("/notifications").content.decode()
    assert address(decision) in page
    assert author.get(address(decision)).status_code == 200
    assert author.post(address(decision), {"text": " \u202e"}).status_code == 422
    assert author.post(address(decision), {"text": "x" * (MAX_APPEAL + 1)}).status_code == 422
    for _ in range(2):
        assert author.post(address(decision), {"text": "It was \u2066meant\u2069 kindly."}).status_code == 302
    assert Appeal.objects.get().text == "It was meant kindly."
    page = author.get("/account/decisions").content.decode()
    assert address(decision) not in page
    assert "answered yet" in page
    with pytest.raises(NotAppealable):
        send_appeal(decision=decision, text="Again", by=in_browser(world.author))


def test_decisions_of_others_are_unknown(world: World) -> None:
    decision = remove(world)
    for client in (signed_in(UserFactory.create()), signed_in(world.owner)):
        assert client.get(address(decision)).status_code == 404
        assert client.post(address(decision), {"text": "Mine"}).status_code == 404
    for path in (f"/account/decisions/{2**70}/appeal", "/account/decisions/0/appeal"):
        assert signed_in(world.author).get(path).status_code == 404
    headers = {"authorization": f"Bearer {api_key(world.author)}"}
    assert Client().post(address(decision), {"text": "By a program"}, headers=headers).status_code in {302, 403}
    assert not Appeal.objects.exists()


@pytest.mark.parametrize("kind", KINDS)
def test_granting_restores_each_kind(world: World, kind: str) -> None:
    before = kinds()[kind].written(world.rows[kind]).text
    appeal = appeal_of(world, kind)
    other = moderator()
    assert [need.count() for need in needs_of(Appeal)] == [1]
    assert decide(other, appeal, "reverse", answer="You are right.").status_code == 302
    appeal.refresh_from_db()
    assert (appeal.outcome, appeal.answer, appeal.by) == ("granted", "You are right.", other)
    assert kinds()[kind].written(kinds()[kind].find(world.rows[kind].pk)).text == before
    email = OutgoingEmail.objects.get(to=appeal.decision.author.email, text__contains="You are right.")
    assert "reversed" in email.text
    assert [need.count() for need in needs_of(Appeal)] == [0]


def test_denying_changes_nothing_else(world: World) -> None:
    appeal = appeal_of(world)
    assert decide(moderator(), appeal, "uphold", answer=" ").status_code == 200
    decide(moderator(), appeal, "uphold", answer="It was rude.")
    appeal.refresh_from_db()
    assert appeal.outcome == "denied"
    assert Decision.objects.get() == appeal.decision
    assert "It was rude." in OutgoingEmail.objects.latest("pk").text
    assert "It was rude." in signed_in(world.author).get("/account/decisions").content.decode()
    with pytest.raises(AlreadyDecided):
        grant_appeal(appeal=appeal, answer="After all", by=by_team(moderator()))


def test_another_moderator_is_suggested_but_not_required(world: World) -> None:
    first = moderator()
    appeal = appeal_of(world, by=first)
    assert OWN in unescape(decide(first, appeal, "uphold").content.decode())
    assert OWN not in unescape(decide(moderator(), appeal, "uphold").content.decode())
    assert decide(first, appeal, "reverse", answer="I was wrong.").status_code == 302
    assert Appeal.objects.get().outcome == "granted"


def test_what_was_restored_meanwhile_needs_no_appeal(world: World) -> None:
    appeal = appeal_of(world, "listing")
    kinds()["listing"].restore(appeal.decision, note="", by=by_team(moderator()))
    grant_appeal(appeal=appeal, answer="Done already.", by=by_team(moderator()))
    assert Decision.objects.filter(action="restored").count() == 1
    decision = remove(world)
    kinds()["comment"].restore(decision, note="", by=by_team(moderator()))
    with pytest.raises(NotAppealable):
        send_appeal(decision=decision, text="Why?", by=in_browser(world.author))


def test_what_was_written_anew_is_not_overwritten(world: World) -> None:
    from apps.accounts.founders.services import update_profile

    appeal = appeal_of(world, "founder_profile")
    update_profile(user=world.owner, bio="Something new.")
    decide(moderator(), appeal, "reverse", answer="Sorry.")
    appeal.refresh_from_db()
    assert appeal.outcome == ""
    deny_appeal(appeal=appeal, answer="You wrote a new one.", by=by_team(moderator()))


@pytest.mark.parametrize("kind", KINDS)
def test_block_lists_keep_no_moderator_from_restoring(world: World, kind: str) -> None:
    appeal = appeal_of(world, kind)
    for word in {word.strip(".,:!?").lower() for word in appeal.decision.text.split()}:
        if len(word) > 2:
            BlockRule.objects.create(kind=BlockRule.Kind.WORD, value=word)
    grant_appeal(appeal=appeal, answer="This is fine.", by=by_team(moderator()))
    assert Decision.objects.filter(case=appeal.decision.case, action="restored").count() == 1


def test_viewers_answer_nothing(world: World) -> None:
    appeal, viewer = appeal_of(world), moderator()
    viewer.user_permissions.remove(*viewer.user_permissions.filter(codename__startswith="change"))
    decide(viewer, appeal, "reverse", answer="Yes")
    assert Appeal.objects.get().outcome == ""


def test_hostile_appeals_stay_text(world: World) -> None:
    decision = remove(world)
    appeal = send_appeal(decision=decision, text="\n".join(STRINGS[::9])[:MAX_APPEAL], by=in_browser(world.author))
    staff = signed_in(UserFactory.create(is_staff=True, is_superuser=True))
    for path in (
        f"/admin/moderation/appeal/{appeal.pk}/change/",
        reverse("admin:moderation_appeal_uphold_one", args=[appeal.pk]),
        reverse("admin:accounts_user_moderation_history", args=[world.author.pk]),
    ):
        page: Any = html.document_fromstring(staff.get(path).content.decode())
        assert not page.xpath("//*[contains(@onerror, 'alert') or contains(@onload, 'alert')]")
        assert not [one for one in page.xpath("//script") if "alert(1)" in (one.text or "")]
