"""The profile page: neither half of its form loses what is in the other, and it says what is missing."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from apps.accounts.founders.photos import photo_url
from apps.accounts.models import FounderProfile, User
from apps.sites.models import Site
from apps.stories.models import FounderStory
from tests.factories import ListingFactory, UserFactory, complete_profile
from tests.pictures import picture

pytestmark = pytest.mark.django_db

TEXTS = {"real_name": "Ada Example", "role": "Founder", "bio": "Typed", "links": "https://example.com/"}


@pytest.fixture
def user() -> User:
    made: User = UserFactory.create()
    return made


@pytest.fixture
def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def chosen(data: bytes | None = None, name: str = "me.jpg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, picture() if data is None else data, content_type="image/jpeg")


def saved(user: User) -> FounderProfile:
    return FounderProfile.objects.get(user=user)


def text_of(answer: Any) -> str:
    return unescape(answer.content.decode())


def test_a_visitor_signs_in_first() -> None:
    for path in ("/account/profile", "/account/profile/photo", "/account/profile/photo/remove"):
        assert Client().post(path, TEXTS).status_code == 302
    assert not FounderProfile.objects.exists()


def test_saving_texts(browser: Client, user: User) -> None:
    answer = browser.post("/account/profile", TEXTS)
    assert (answer.status_code, answer["Location"]) == (302, "/account/profile")
    assert (saved(user).bio, saved(user).links, saved(user).slug) == ("Typed", ["https://example.com/"], "ada-example")


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_cut(browser: Client, user: User) -> None:
    page = text_of(browser.get("/account/profile"))
    assert "maxlength" not in page[page.index('name="bio"') :].partition(">")[0]
    long = {"real_name": "A" * 81, "role": "R" * 81, "bio": "b" * 1001, "links": "nonsense here"}
    answer = browser.post("/account/profile", long)
    assert answer.status_code == 422
    form, page = answer.context["form"], text_of(answer)
    assert [name for name in form.fields if form.has_error(name, "max_length")] == ["real_name", "role", "bio"]
    assert form.has_error("links", "bad_address")
    assert page.count('class="error"') == 4
    assert "1,001" in page
    assert "b" * 1001 in page


def test_saving_both_at_once(browser: Client, user: User) -> None:
    assert browser.post("/account/profile", {**TEXTS, "photo": chosen()}).status_code == 302
    assert (saved(user).bio, saved(user).photo_pixels) == ("Typed", 300)


@pytest.mark.parametrize("path", ["/account/profile", "/account/profile/photo"])
def test_a_file_of_60_mb_is_refused_beside_the_field(browser: Client, user: User, path: str) -> None:
    browser.post("/account/profile", TEXTS)
    answer = browser.generic(
        "POST",
        path,
        b"",
        "multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(60 * 2**20),
        headers={"accept": "text/html"},
    )
    assert answer.status_code == 413
    assert list(answer.context["photo_field"].errors) != []
    assert answer.context["form"]["bio"].value() == "Typed"
    assert 'id="id_photo_error"' in answer.content.decode()
    assert saved(user).photo_key == ""


def test_refused_texts_do_not_lose_the_photo(browser: Client, user: User) -> None:
    answer = browser.post("/account/profile", {**TEXTS, "links": "nonsense here", "photo": chosen()})
    assert answer.status_code == 422
    assert saved(user).photo_pixels == 300
    assert saved(user).bio == ""
    page = text_of(answer)
    assert "nonsense here is not a public https URL" in page
    assert ">\nTyped</textarea>" in page
    assert "Photo saved" in page


def test_a_refused_photo_does_not_lose_the_texts(browser: Client, user: User) -> None:
    answer = browser.post("/account/profile", {**TEXTS, "photo": chosen(b"<svg/>", "me.svg")})
    assert answer.status_code == 422
    assert saved(user).bio == "Typed"
    assert answer.context["photo_field"].form.has_error("photo", "picture_refused")
    assert "Profile saved" in text_of(answer)


def test_the_upload_button_saves_the_photo_alone(browser: Client, user: User) -> None:
    browser.post("/account/profile", TEXTS)
    assert browser.post("/account/profile/photo", {**TEXTS, "photo": chosen()}).status_code == 302
    answer = browser.post("/account/profile/photo", {**TEXTS, "bio": "Unsaved words", "photo": chosen()})
    assert answer.status_code == 200
    assert saved(user).bio == "Typed"
    assert ">\nUnsaved words</textarea>" in text_of(answer)
    assert "aren’t saved yet" in text_of(answer)


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"photo": b""}, "picture_refused"), ({}, "required")],
    ids=["an empty file", "no file"],
)
def test_the_upload_button_without_a_photo(browser: Client, user: User, fields: dict[str, bytes], code: str) -> None:
    files = {name: chosen(data) for name, data in fields.items()}
    answer = browser.post("/account/profile/photo", {**TEXTS, "bio": "Unsaved words", **files})
    assert answer.status_code == 422
    assert answer.context["photo_field"].form.has_error("photo", code)
    assert text_of(answer).count('class="error"') == 1
    assert ">\nUnsaved words</textarea>" in text_of(answer)


def test_the_remove_button(browser: Client, user: User) -> None:
    browser.post("/account/profile", {**TEXTS, "photo": chosen()})
    answer = browser.post("/account/profile/photo/remove", {**TEXTS, "bio": "Unsaved words"})
    assert answer.status_code == 200
    assert (saved(user).photo_key, saved(user).bio) == ("", "Typed")
    assert ">\nUnsaved words</textarea>" in text_of(answer)
    assert browser.post("/account/profile/photo/remove").status_code == 302


def test_the_buttons_pages_lead_back(browser: Client) -> None:
    for path in ("/account/profile/photo", "/account/profile/photo/remove"):
        assert browser.get(path)["Location"] == "/account/profile"


def test_a_file_past_every_limit_is_refused_with_a_page(browser: Client, user: User) -> None:
    for accept, kind in (("text/html,*/*;q=0.8", "text/html"), ("*/*", "application/problem+json")):
        upload = {**TEXTS, "photo": chosen(bytes(6 * 2**20))}
        answer = browser.post("/account/profile/photo/remove", upload, headers={"accept": accept})
        assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (413, kind)
        assert "6 MB" in text_of(answer)
        assert kind != "text/html" or answer.context["request"].user == user
    assert not FounderProfile.objects.exists()


@pytest.mark.parametrize("name", ["me.svg", "me.php", "me.html", "../../../etc/passwd", "x" * 300, "me.jpg\0.php"])
def test_the_files_name_counts_for_nothing(browser: Client, user: User, name: str) -> None:
    assert browser.post("/account/profile/photo", {"photo": chosen(name=name)}).status_code == 302
    assert saved(user).photo_key.startswith("founders/")


def test_a_form_from_elsewhere_is_refused(user: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    for path in ("/account/profile", "/account/profile/photo", "/account/profile/photo/remove"):
        assert client.post(path, {**TEXTS, "photo": chosen()}).status_code == 403
    assert not FounderProfile.objects.exists()


def test_what_is_missing_is_told_with_counts_and_places(browser: Client, site: Site) -> None:
    page = text_of(browser.get("/account/profile"))
    for part, told in {"real_name": "real name", "role": "role", "bio": "0 of 80", "photo": "256 pixels"}.items():
        assert told in page.partition(f'<a href="#{part}">')[2].partition("</a>")[0]
        assert f'id="{part}"' in page
    browser.post("/account/profile", {**TEXTS, "bio": "x" * 79, "photo": chosen()})
    page = text_of(browser.get("/account/profile"))
    assert page.count('<a href="#') == 1
    assert "79 of 80" in page.partition('<a href="#bio">')[2].partition("</a>")[0]
    assert "79/1,000 (minimum 80)" in page
    browser.post("/account/profile", {**TEXTS, "bio": "x" * 80})
    assert "Profile complete" in text_of(browser.get("/account/profile"))


def test_markup_is_shown_as_it_was_typed(browser: Client, user: User) -> None:
    browser.post("/account/profile", {**TEXTS, "real_name": "<b>Ada</b>", "bio": "</textarea><script>x</script>"})
    page = browser.get("/account/profile").content.decode()
    assert "<script>x" not in page
    assert "&lt;b&gt;Ada" in page
    assert saved(user).bio == "</textarea><script>x</script>"


def test_the_link_to_the_founders_page_is_there_when_the_page_is(browser: Client, user: User) -> None:
    browser.post("/account/profile", TEXTS)
    assert "/founders/ada-example" not in text_of(browser.get("/account/profile"))
    ListingFactory.create(live=True, company__owner=user)
    assert 'href="/founders/ada-example"' in text_of(browser.get("/account/profile"))


def published(user: User, **fields: Any) -> FounderStory:
    listing = ListingFactory.create(live=True, company__owner=user)
    return FounderStory.objects.create(
        listing=listing, author=user, title="How it began", published_at=timezone.now(), **fields
    )


def test_published_stories_that_need_the_profile_are_named(browser: Client, user: User) -> None:
    complete_profile(user)
    assert "How it began" not in text_of(browser.get("/account/profile"))
    published(user)
    page = text_of(browser.get("/account/profile"))
    assert "<strong><bdi>How it began</bdi></strong>" in page
    page = text_of(browser.post("/account/profile/photo/remove", follow=True))
    assert "<ul><li>A photo</li></ul>" in page
    assert "A photo</li></ul>" in text_of(browser.get("/account"))
    assert FounderStory.objects.get().published_at


@pytest.mark.parametrize(
    "spoil",
    [
        lambda story: setattr(story, "published_at", None),
        lambda story: setattr(story.listing.company, "owner", UserFactory.create()),
    ],
    ids=["a draft", "a company that has another owner now"],
)
def test_other_stories_are_not_named(browser: Client, user: User, spoil: Callable[[FounderStory], None]) -> None:
    complete_profile(user)
    story = published(user)
    spoil(story)
    story.save()
    story.listing.company.save()
    assert "How it began" not in text_of(browser.get("/account/profile"))


def test_a_photo_as_browsers_get_it(browser: Client, user: User, anonymous: Any) -> None:
    browser.post("/account/profile", {**TEXTS, "photo": chosen()})
    page = text_of(browser.get("/account/profile"))
    for size, kind, media_type in ((512, "webp", "image/webp"), (192, "jpg", "image/jpeg"), (96, "webp", "image/webp")):
        address = photo_url(saved(user), size, kind)
        answer = Client().get(address)
        assert answer.status_code == 200
        assert answer["Content-Type"] == media_type
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert not answer.cookies
        assert "Cookie" not in answer.get("Vary", "")
        assert Client().head(address).status_code == 200
    assert photo_url(saved(user), 192, "webp") in page
    assert photo_url(saved(user), 192, "jpg") in page


def test_only_photos_are_served(browser: Client, user: User) -> None:
    browser.post("/account/profile", {**TEXTS, "photo": chosen()})
    folder = saved(user).photo_key.rpartition("/")[2]
    for path in (
        f"{folder}/511.webp",
        f"{folder}/512.png",
        f"{folder}/512",
        f"{'0' * 32}/512.webp",
        f"{folder[:-1]}/512.webp",
        f"{folder.upper()}x/512.webp",
        "..%2f..%2fup.json/512.webp",
        f"{folder}/..%2f512.webp",
        f"{folder}/512.webp%0a",
    ):
        answer = Client().get(f"/founders/photos/{path}")
        assert answer.status_code == 404
        assert "immutable" not in answer.get("Cache-Control", "")
    assert Client().post(f"/founders/photos/{folder}/512.webp").status_code == 405
