"""The owner's page of pictures: what a browser sends, with and without the script, and what is refused where."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.listings.models import CompanyPicture, Listing
from tests.api import ApiClient
from tests.browsing import signed_in
from tests.listings.owner.browsing import form_of
from tests.pictures import SCRIPT, picture, png_that_claims

pytestmark = pytest.mark.django_db

SHOT = picture("PNG", size=(800, 500))
LOGO = picture("PNG", size=(200, 200))
SVG = b'<svg xmlns="http://www.w3.org/2000/svg">' + SCRIPT + b"</svg>"


@pytest.fixture
def browser(owner: ApiClient) -> Client:
    return signed_in(owner.account)


@pytest.fixture
def path(listing: Listing) -> str:
    return f"{listing.path}/pictures"


def file(data: bytes = SHOT, name: str = "shot.png", content_type: str = "image/png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data, content_type)


def opened(browser: Client, path: str) -> dict[str, Any]:
    """What a browser sends of the page as it was opened."""
    context = browser.get(path).context
    choice, shots = context["choice"], context["screenshots"]
    return {
        "logo": choice.logo,
        "opened_logo": choice.opened_logo,
        "opened": choice.opened,
        "screenshot": [shot["picture"].url for shot in shots],
        "alt": [shot["alt"] for shot in shots],
    }


def send(browser: Client, path: str, **changes: Any) -> Any:
    return browser.post(path, {**opened(browser, path), **changes})


def shots(listing: Listing) -> list[str]:
    listing.company.refresh_from_db()
    return list(listing.company.screenshots)


def stored(browser: Client, path: str, listing: Listing, *, count: int = 3) -> list[str]:
    assert send(browser, path, screenshot_files=[file() for _ in range(count)]).status_code == 302
    return shots(listing)


def errors(answer: Any) -> dict[str, list[str]]:
    return {name: [str(text) for text in texts] for name, texts in answer.context["form"].errors.items()}


def test_a_logo_and_several_screenshots_at_a_time(browser: Client, path: str, listing: Listing) -> None:
    answer = send(browser, path, logo_file=file(LOGO), screenshot_files=[file(), file()])
    assert (answer.status_code, answer["Location"]) == (302, path)
    assert len(shots(listing)) == 2
    assert listing.company.logo_key
    assert set(CompanyPicture.objects.values_list("is_listed", "is_upload")) == {(True, True)}
    page = browser.get(path).content.decode()
    assert f"/{listing.company.logo_key}/192.webp" in page


@pytest.mark.slow
def test_order_descriptions_and_removal(browser: Client, path: str, listing: Listing) -> None:
    a, b, c = stored(browser, path, listing)
    send(browser, path, alt=["First", "Second", "Third"])
    assert opened(browser, path)["alt"] == ["First", "Second", "Third"]
    send(browser, path, move=f"later {a}")
    assert shots(listing) == [b, a, c]
    send(browser, path, move=f"earlier {c}")
    assert shots(listing) == [b, c, a]
    for end in (f"earlier {b}", f"later {a}", "earlier https://elsewhere.example/1.png", "nonsense"):
        send(browser, path, move=end)
        assert shots(listing) == [b, c, a]
    assert opened(browser, path)["alt"] == ["Second", "Third", "First"]
    send(browser, path, remove=[c])
    assert shots(listing) == [b, a]


def test_the_logo_is_replaced_and_removed(browser: Client, path: str, listing: Listing) -> None:
    send(browser, path, logo_file=file(LOGO))
    shots(listing)
    first = listing.company.logo_url
    send(browser, path, logo_file=file(LOGO), remove=[first])
    shots(listing)
    assert listing.company.logo_url not in {first, ""}
    send(browser, path, remove=[listing.company.logo_url])
    shots(listing)
    assert (listing.company.logo_url, listing.company.logo_key) == ("", "")


def test_urls_are_downloaded_later(browser: Client, path: str, listing: Listing) -> None:
    one, two = "https://acme.example/one.png", "https://acme.example/two.png"
    assert send(browser, path, logo_address=one, screenshot_address=two).status_code == 302
    assert (shots(listing), listing.company.logo_url) == ([two], one)
    assert {row.status for row in CompanyPicture.objects.all()} == {"pending"}
    assert "Downloading" in browser.get(path).content.decode()
    answer = send(browser, path, logo_address="javascript:alert(1)", screenshot_address="http://10.0.0.1/")
    assert answer.status_code == 422
    assert set(errors(answer)) == {"logo_address", "screenshot_address"}
    assert shots(listing) == [two]


@pytest.mark.parametrize(
    "bad", [SVG, b"", b"text", png_that_claims(60_000, 60_000), picture(size=(20, 20)), SHOT[:-900]], ids=range(6)
)
def test_a_bad_file_is_refused_with_all_others(
    browser: Client, path: str, listing: Listing, media: Path, bad: bytes
) -> None:
    answer = send(browser, path, screenshot_files=[file(), file(bad, "bad.png"), file(bad, "worse.png")])
    assert answer.status_code == 422
    assert [text.split(":")[0] for text in errors(answer)["screenshot_files"]] == ["bad.png", "worse.png"]
    assert 'id="id_screenshot_files_error"' in answer.content.decode()
    assert shots(listing) == []
    assert not CompanyPicture.objects.exists()


def test_what_was_typed_stays_after_a_refusal(browser: Client, path: str, listing: Listing) -> None:
    a, b, _ = stored(browser, path, listing)
    answer = send(browser, path, logo_file=file(SVG, "logo.svg"), alt=["Typed", "", ""], remove=[b])
    assert answer.status_code == 422
    assert list(errors(answer)) == ["logo_file"]
    choice = answer.context["choice"]
    assert (choice.alts[a], choice.removed) == ("Typed", {b})
    long = send(browser, path, alt=["", "a" * 161, ""])
    assert (long.status_code, list(long.context["choice"].alt_problems)) == (422, [b])


@pytest.mark.slow
def test_forty_files_are_refused_unread(browser: Client, path: str, listing: Listing, media: Path) -> None:
    answer = send(browser, path, screenshot_files=[file() for _ in range(40)])
    assert answer.status_code == 422
    assert "8" in errors(answer)["screenshot_files"][0]
    assert not media.exists()
    stored(browser, path, listing, count=8)
    assert send(browser, path, screenshot_files=[file()]).status_code == 422
    # One goes, another comes.
    assert send(browser, path, screenshot_files=[file()], remove=shots(listing)[:1]).status_code == 302
    assert len(shots(listing)) == 8


def test_a_file_of_60_mb_is_refused_once_above_the_fields(browser: Client, path: str, listing: Listing) -> None:
    answer = browser.generic("POST", path, b"", "multipart/form-data; boundary=x", CONTENT_LENGTH=str(60 * 2**20),
                             headers={"accept": "text/html"})  # fmt: skip
    assert answer.status_code == 413
    # Nobody knows which field has the file.
    assert list(errors(answer)) == ["__all__"]
    assert answer.context["form"].has_error("__all__", "too_large")
    assert answer.content.decode().count('role="alert"') == 1
    assert shots(listing) == []


def test_the_script_uploads_first_and_saves_later(browser: Client, path: str, listing: Listing) -> None:
    answer = browser.post(f"{path}/upload", {"field": "screenshots", "file": file()})
    assert answer.status_code == 201
    url = answer.json()["url"]
    assert browser.get(answer.json()["image"]).status_code == 200
    assert shots(listing) == []
    send(browser, path, screenshot=[url], alt=["What it shows"])
    assert shots(listing) == [url]
    assert CompanyPicture.objects.get().alt == "What it shows"


@pytest.mark.parametrize(
    "sent",
    [
        {"field": "screenshots", "file": file(SVG)},
        {"field": "logo_url", "file": file(picture(size=(20, 20)))},
        {"field": "name", "file": file()},
        {"field": "screenshots"},
        {},
    ],
)
def test_the_script_gets_the_reason(browser: Client, path: str, sent: dict[str, Any]) -> None:
    for value in sent.values():
        if hasattr(value, "seek"):
            value.seek(0)
    answer = browser.post(f"{path}/upload", sent)
    assert (answer.status_code, bool(answer.json()["detail"])) == (422, True)
    assert not CompanyPicture.objects.exists()


def test_urls_that_are_no_picture_of_the_company_are_left_out(
    browser: Client, path: str, listing: Listing, other_owner: ApiClient
) -> None:
    [own] = stored(browser, path, listing, count=1)
    send(browser, path, logo="https://evil.example/1.png", screenshot=["https://evil.example/2.png", own], alt=["", ""])
    assert (shots(listing), listing.company.logo_url) == ([own], "")


def test_only_owners_have_the_page(path: str, listing: Listing, other_owner: ApiClient, client: Client) -> None:
    stranger = signed_in(other_owner.account)
    for answer in (stranger.get(path), stranger.post(path), stranger.post(f"{path}/upload", {"file": file()})):
        assert answer.status_code == 404
    assert client.get(path).status_code == 302


@pytest.mark.parametrize("status", ["draft", "rejected"])
def test_drafts_have_the_page_and_rejected_listings_do_not(
    browser: Client, path: str, listing: Listing, status: str
) -> None:
    Listing.objects.update(status=status)
    assert browser.get(path).status_code == (200 if status == "draft" else 302)


def test_the_editor_leads_here_and_keeps_the_pictures(browser: Client, path: str, listing: Listing) -> None:
    urls = stored(browser, path, listing)
    answer = browser.get(f"{listing.path}/edit")
    assert f'href="{path}"' in answer.content.decode()
    assert not {"logo_url", "screenshots"} & set(answer.context["form"].fields)
    values = {**form_of(browser, listing), "city": "Brest"}
    assert browser.post(f"{listing.path}/edit", values).status_code == 302
    assert (shots(listing), listing.company.city) == (urls, "Brest")
