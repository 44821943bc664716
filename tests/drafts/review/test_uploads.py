"""Pictures that an owner uploads beside the preview of a draft."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.drafts.models import Draft, DraftPicture
from apps.listings.models import CompanyPicture
from apps.sites.models import Site
from tests.browsing import signed_in
from tests.drafts.browsing import form_of, sent_of, text_of
from tests.drafts.factories import DraftFactory
from tests.factories import UserFactory
from tests.pictures import SCRIPT, picture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media")]

SHOT = picture("PNG", size=(800, 500))
LOGO = picture("PNG", size=(200, 200))


@pytest.fixture
def draft(site: Site) -> Draft:
    made: Draft = DraftFactory.create(owner=UserFactory.create(), site=site, ready=True)
    return made


@pytest.fixture
def browser(draft: Draft) -> Client:
    return signed_in(draft.owner)


def file(data: bytes = SHOT, name: str = "shot.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data, "image/png")


def test_uploads_are_saved_with_what_is_typed(browser: Client, draft: Draft) -> None:
    sent = form_of(browser, draft, headline="Typed meanwhile")
    files = {"logo_file": file(LOGO), "screenshot_files": [file(), file()]}
    answer = browser.post(f"/drafts/{draft.pk}/save", {**sent, **files})
    assert answer.status_code == 302
    draft.refresh_from_db()
    assert draft.proposal["headline"] == "Typed meanwhile"
    pictures = {row.url: row for row in DraftPicture.objects.filter(draft=draft)}
    assert set(pictures) == {draft.proposal["logo_url"], *draft.proposal["screenshots"]}
    assert len(pictures) == 3
    page = browser.get(f"/drafts/{draft.pk}")
    for row in pictures.values():
        assert f"/{row.key}/" in page.content.decode()
    assert "Logo and 2 screenshots" in text_of(page)


def test_screenshots_are_moved_and_removed(browser: Client, draft: Draft) -> None:
    browser.post(f"/drafts/{draft.pk}/save", {**form_of(browser, draft), "screenshot_files": [file(), file(), file()]})
    draft.refresh_from_db()
    first, second, third = draft.proposal["screenshots"]
    for pressed, left in (
        ({"move": f"later {first}"}, [second, first, third]),
        ({"move": f"earlier {second}"}, [second, first, third]),
        ({"move": "earlier https://elsewhere.example/x.png"}, [second, first, third]),
        ({"remove": first}, [second, third]),
        ({"move": f"earlier {third}"}, [third, second]),
    ):
        answer = browser.post(f"/drafts/{draft.pk}/save", {**form_of(browser, draft), **pressed})
        assert answer["Location"] == f"/drafts/{draft.pk}#arrange"
        draft.refresh_from_db()
        assert draft.proposal["screenshots"] == left


def test_descriptions_go_to_the_listing(browser: Client, draft: Draft) -> None:
    browser.post(f"/drafts/{draft.pk}/save", {**form_of(browser, draft), "screenshot_files": [file()]})
    name = f"alt-{DraftPicture.objects.get(draft=draft).pk}"
    path = f"/drafts/{draft.pk}/save"
    refused = browser.post(path, {**form_of(browser, draft), name: "x" * 161})
    assert refused.status_code == 422
    assert "161" in text_of(refused)
    assert "x" * 161 in refused.content.decode()
    added = browser.post(path, {**form_of(browser, draft), name: "Typed", "add": "faq"})
    assert 'value="Typed"' in added.content.decode()
    stale = {**form_of(browser, draft), name: "", f"opened-{name}": ""}
    saved = browser.post(path, {**form_of(browser, draft), name: "The \u202eplan"}, follow=True)
    assert "Draft saved" in text_of(saved)
    assert 'value="The plan"' in saved.content.decode()
    browser.post(path, stale)
    browser.post(f"/drafts/{draft.pk}/submit", form_of(browser, draft))
    assert CompanyPicture.objects.get(field="screenshots").alt == "The plan"


def test_descriptions_are_saved_after_the_draft_is_locked(browser: Client, draft: Draft) -> None:
    browser.post(f"/drafts/{draft.pk}/save", {**form_of(browser, draft), "screenshot_files": [file()]})
    sent = form_of(browser, draft, **{f"alt-{DraftPicture.objects.get(draft=draft).pk}": "The plan"})
    with CaptureQueriesContext(connection) as queries:
        browser.post(f"/drafts/{draft.pk}/save", sent)
    statements = [query["sql"] for query in queries]
    (lock,) = [at for at, sql in enumerate(statements) if "drafts_draft" in sql and "FOR UPDATE" in sql]
    (described,) = [at for at, sql in enumerate(statements) if sql.startswith('UPDATE "drafts_draftpicture"')]
    assert lock < described


def test_nine_screenshots_are_refused_above_the_fields(browser: Client, draft: Draft) -> None:
    assert "0/8 screenshots" in text_of(browser.get(f"/drafts/{draft.pk}"))
    files = {"screenshot_files": [file() for _ in range(8)]}
    browser.post(f"/drafts/{draft.pk}/save", {**form_of(browser, draft), **files})
    page = browser.get(f"/drafts/{draft.pk}")
    assert "8/8 screenshots" in text_of(page)
    assert 'name="screenshot_files"' not in page.content.decode()
    answer = browser.post(f"/drafts/{draft.pk}/save", {**form_of(browser, draft), "screenshot_files": [file()]})
    assert answer.status_code == 422
    assert 'href="#arrange"' in answer.content.decode()
    assert DraftPicture.objects.filter(draft=draft).count() == 8


def test_a_script_uploads_one_file_at_a_time(browser: Client, draft: Draft) -> None:
    path = f"/drafts/{draft.pk}/upload"
    answer = browser.post(path, {"field": "screenshots", "file": file()})
    assert answer.status_code == 201
    sent = form_of(browser, draft, screenshots=answer.json()["url"])
    assert browser.post(f"/drafts/{draft.pk}/save", sent).status_code == 302
    draft.refresh_from_db()
    assert draft.proposal["screenshots"] == [answer.json()["url"]]
    for bad in ({"field": "faqs", "file": file()}, {"field": "screenshots"}, {"field": "logo_url", "file": file(b"")}):
        assert browser.post(path, bad).status_code == 422
    assert signed_in(UserFactory.create()).post(path, {"field": "logo_url", "file": file(LOGO)}).status_code == 404
    Draft.objects.update(status=Draft.Status.CANCELLED)
    assert browser.post(path, {"field": "logo_url", "file": file(LOGO)}).status_code == 409


@pytest.mark.parametrize("way", ["save", "submit"])
def test_more_than_a_request_can_hold_is_refused_above_the_fields(browser: Client, draft: Draft, way: str) -> None:
    headers = {"Accept": "text/html", "Content-Length": str(10**8)}
    answer = browser.post(f"/drafts/{draft.pk}/{way}", {}, headers=headers)
    assert answer.status_code == 413
    assert text_of(answer).count("send up to 6 MB at a time") == 1
    assert sent_of(answer)["name"] == [draft.proposal["name"]]


def test_the_listing_gets_them_without_a_download(browser: Client, draft: Draft) -> None:
    sent = form_of(browser, draft)
    answer = browser.post(f"/drafts/{draft.pk}/submit", {**sent, "logo_file": file(LOGO)})
    assert answer.status_code == 302
    row = CompanyPicture.objects.get()
    assert (row.status, row.is_upload) == ("stored", True)
    draft.refresh_from_db()
    assert draft.listing is not None
    assert draft.listing.company.logo_key == row.key


def test_bad_files_are_refused_beside_the_field(browser: Client, draft: Draft, media: Path) -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg">' + SCRIPT + b"</svg>"
    for files, name in (
        ({"logo_file": file(svg, "logo.svg"), "screenshot_files": [file()]}, "logo_file"),
        ({"screenshot_files": [file() for _ in range(9)]}, "screenshot_files"),
        ({"logo_file": file(b"")}, "logo_file"),
    ):
        answer = browser.post(f"/drafts/{draft.pk}/save", {**form_of(browser, draft, headline="Typed"), **files})
        assert answer.status_code == 422
        assert list(answer.context["uploads"].errors) == [name]
        assert sent_of(answer)["headline"] == ["Typed"]
    assert not DraftPicture.objects.exists()
    draft.refresh_from_db()
    assert draft.proposal["headline"] != "Typed"


def test_nobody_else_uploads(draft: Draft, media: Path) -> None:
    other = signed_in(UserFactory.create())
    assert other.post(f"/drafts/{draft.pk}/save", {"logo_file": file(LOGO)}).status_code == 404
    assert not media.exists()
