"""Readers report what is public, once, in the browser, and without the author learning who."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from lxml import html

from apps.accounts.actors import Actor, Via
from apps.core.api import schema
from apps.core.errors import DomainError
from apps.core.stores.valkey.counters import Limit
from apps.curation.models import Collection
from apps.listings.models import Listing
from apps.moderation.kinds import kinds
from apps.moderation.models import MAX_NOTE, Case, Report
from apps.moderation.services import reports
from apps.stories.models import FounderStory
from tests.browsing import signed_in
from tests.contributions.hostile import STRINGS
from tests.factories import SiteFactory, UserFactory, access_token, api_key
from tests.moderation.world import KINDS, World

pytestmark = pytest.mark.db


def address(world: World, kind: str) -> str:
    return reverse("report", args=[kind, world.rows[kind].pk])


def test_every_kind_is_in_the_table() -> None:
    assert set(kinds()) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_public_part_has_its_link(world: World, kind: str) -> None:
    row = world.rows[kind]
    path = kinds()[kind].written(row).path
    for client in (Client(), signed_in(UserFactory.create())):
        page: Any = html.document_fromstring(client.get(path).content.decode())
        [link] = page.xpath(f"//a[@href='{address(world, kind)}']")
        assert link.text == ("Report answer" if kind == "review_answer" else "Report")
        assert link.get("rel") == "nofollow"


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_keeps_reason_note_and_the_text_as_it_stood(world: World, kind: str) -> None:
    reader = UserFactory.create()
    client = signed_in(reader)
    assert client.get(address(world, kind)).status_code == 200
    for _ in range(2):
        answer = client.post(address(world, kind), {"reason": "abuse", "note": "Insults \u202eme.\u200b"})
        assert answer.status_code == 302
    report = Report.objects.get()
    assert (report.reporter, report.reason, report.note) == (reader, "abuse", "Insults me.")
    assert (report.case.kind, report.case.object_id) == (kind, world.rows[kind].pk)
    assert report.case.author == world.author_of(kind)
    assert report.case.text == kinds()[kind].written(world.rows[kind]).text != ""
    assert answer["Location"] == kinds()[kind].written(world.rows[kind]).path


def test_signing_in_leads_back_to_the_form(world: World) -> None:
    answer = Client().get(address(world, "comment"))
    assert answer.status_code == 302
    assert f"next={address(world, 'comment')}" in answer["Location"]


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_reports_their_own(world: World, kind: str) -> None:
    answer = signed_in(world.author_of(kind)).post(address(world, kind), {"reason": "spam"})
    assert answer.status_code == 302
    with pytest.raises(reports.NotReportable):
        world.report(kind, by=world.author_of(kind))
    assert not Report.objects.exists()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_public_is_unknown(world: World, kind: str) -> None:
    Listing.objects.filter(pk=world.listing.pk).update(status="archived")
    Collection.objects.update(status="private")
    client = signed_in(UserFactory.create())
    assert client.get(address(world, kind)).status_code == 404
    assert client.post(address(world, kind), {"reason": "spam"}).status_code == 404
    with pytest.raises(reports.NotReportable):
        world.report(kind)
    assert not Report.objects.exists()


@pytest.mark.parametrize("kind", ["story", "milestone"])
def test_hidden_parts_are_unknown(world: World, kind: str) -> None:
    FounderStory.objects.update(published_at=None)
    Listing.objects.update(plan="free")
    assert signed_in(UserFactory.create()).get(address(world, kind)).status_code == 404


def test_other_sites_and_odd_addresses_are_unknown(world: World) -> None:
    client = signed_in(UserFactory.create())
    for path in ("/report/nothing/1", "/report/comment/0", f"/report/comment/{2**70}", "/report/user/1"):
        assert client.get(path).status_code == 404
    world.listing.site = SiteFactory.create(key="elsewhere")
    Listing.objects.filter(pk=world.listing.pk).update(site=world.listing.site)
    assert client.get(address(world, "listing")).status_code == 404


@pytest.mark.parametrize(
    ("sent", "code"),
    [({"reason": "bogus"}, "Choose a reason"), ({}, "Choose a reason"), ({"reason": "spam", "note": "x" * 501}, "500")],
)
def test_bad_forms_come_back(world: World, sent: dict[str, str], code: str) -> None:
    answer = signed_in(UserFactory.create()).post(address(world, "comment"), sent)
    assert answer.status_code == 422
    assert code in answer.content.decode()
    assert not Report.objects.exists()


def test_hostile_notes_stay_text(world: World) -> None:
    staff = signed_in(UserFactory.create(is_staff=True, is_superuser=True))
    notes = STRINGS[::12]
    for number, note in enumerate(notes):
        world.report("comment", note=f"{number} {note}"[:MAX_NOTE])
    case = Case.objects.get()
    for path in ("/admin/moderation/case/", f"/admin/moderation/case/{case.pk}/change/"):
        page: Any = html.document_fromstring(staff.get(path).content.decode())
        assert not page.xpath("//*[contains(@onerror, 'alert') or contains(@onload, 'alert')]")
        assert not [one for one in page.xpath("//script") if "alert(1)" in (one.text or "")]


def test_one_account_floods_no_queue(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "REPORTS_AN_HOUR", Limit(f"reports-{world.owner.pk}", 2, 3600, events="reports"))
    client = signed_in(UserFactory.create())
    codes = [client.post(address(world, kind), {"reason": "spam"}).status_code for kind in KINDS[:4]]
    assert codes == [302, 302, 429, 429]
    assert Report.objects.count() == 2


def test_many_accounts_make_one_case(world: World) -> None:
    for _ in range(12):
        world.report("comment")
    assert Report.objects.count() == 12
    assert Case.objects.open().count() == 1


@pytest.mark.parametrize("via", ["key", "assistant", "system", "admin"])
def test_no_program_reports(world: World, via: Via) -> None:
    by = Actor(user=UserFactory.create(), via=via)
    with pytest.raises(DomainError) as caught:
        reports.report(kind=kinds()["comment"], row=world.rows["comment"], reason="spam", by=by)
    assert caught.value.status == 403
    assert not Report.objects.exists()


def test_no_operation_reports_or_appeals() -> None:
    result = [path for path in schema.document()["paths"] if "report" in path or "appeal" in path or "decision" in path]
    assert result == []


@pytest.mark.parametrize("credential", ["key", "token"])
def test_a_credential_opens_no_form(world: World, credential: str) -> None:
    """Browser pages know sessions only: to them, a credential is nobody."""
    user = UserFactory.create()
    raw = api_key(user) if credential == "key" else access_token(user, resource=settings.PUBLIC_HOST)
    for kind in KINDS:
        answer = Client().post(address(world, kind), {"reason": "spam"}, headers={"authorization": f"Bearer {raw}"})
        assert answer.status_code in {302, 403}
    assert not Report.objects.exists()
