"""update_profile: only what is sent changes. A photo comes by address or in the body, and is checked like an upload."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from apps.accounts.founders import services
from apps.accounts.founders.services import MAX_BIO
from apps.accounts.models import FounderProfile
from apps.core.api.scopes import Scope
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import api_key
from tests.pages_server import Answer, PagesServer
from tests.pictures import phone_photo, picture

pytestmark = pytest.mark.django_db

HOST = "ada.localhost"


@pytest.fixture
def web(settings: Any) -> Iterator[PagesServer]:
    with PagesServer() as server:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({server.host(HOST)})
        yield server


def saved() -> FounderProfile:
    return FounderProfile.objects.get()


def codes(answer: Any) -> dict[str, str]:
    assert answer.status_code == 422
    return {error["pointer"]: error["code"] for error in answer.json()["errors"]}


def test_only_what_is_sent_changes(owner: ApiClient, site: Site) -> None:
    first = {"real_name": "Ada Example", "role": "Founder", "links": ["https://ada.example"]}
    assert owner.patch("/me/profile", first).status_code == 200
    body = owner.patch("/me/profile", {"bio": "She draws tides."}).json()
    assert {name: body[name] for name in first} == {**first, "links": ["https://ada.example/"]}
    assert (body["bio"], saved().slug) == ("She draws tides.", "ada-example")


def test_an_empty_body_changes_nothing(owner: ApiClient, site: Site) -> None:
    owner.patch("/me/profile", {"role": "Founder"})
    assert owner.patch("/me/profile", {}).json()["role"] == "Founder"


def test_problems_are_told_by_field_and_nothing_is_saved(owner: ApiClient, site: Site) -> None:
    answer = owner.patch("/me/profile", {"role": "Founder", "links": ["http://ada.example", "https://ok.example"]})
    assert codes(answer) == {"/links": "bad_address"}
    assert not FounderProfile.objects.exists()


@pytest.mark.parametrize("empty", ["", []], ids=str)
def test_empty_values_clear(owner: ApiClient, site: Site, empty: Any) -> None:
    photo = b64encode(picture()).decode()
    full = {"real_name": "Ada Example", "role": "Founder", "bio": "She draws tides.", "links": ["https://ada.example"]}
    assert owner.patch("/me/profile", {**full, "photo_base64": photo}).json()["photo_url"]
    body = owner.patch("/me/profile", dict.fromkeys((*full, "photo_url"), empty)).json()
    assert [body[name] for name in (*full, "photo_url")] == ["", "", "", [], ""]


def test_null_changes_nothing(owner: ApiClient, site: Site) -> None:
    full = {"real_name": "Ada Example", "role": "Founder", "bio": "She draws tides.", "links": ["https://ada.example/"]}
    before = owner.patch("/me/profile", {**full, "photo_base64": b64encode(picture()).decode()}).json()
    nulls = dict.fromkeys((*full, "photo_url", "photo_base64", "site"))
    assert owner.patch("/me/profile", nulls).json() == before
    assert before["photo_url"]


def test_a_photo_comes_in_the_body(owner: ApiClient, site: Site) -> None:
    body = owner.patch("/me/profile", {"photo_base64": b64encode(picture()).decode()}).json()
    assert body["photo_url"].startswith(site.url("/founders/photos/"))
    assert owner.patch("/me/profile", {"role": "Founder"}).json()["photo_url"] == body["photo_url"]
    assert owner.patch("/me/profile", {"photo_url": ""}).json()["photo_url"] == ""


def test_a_photo_of_a_phone_fits_into_the_body(owner: ApiClient, site: Site) -> None:
    sent = {"photo_base64": b64encode(phone_photo()).decode(), "bio": "b" * MAX_BIO}
    assert owner.patch("/me/profile", sent).json()["photo_url"]
    answer = owner.patch("/me/profile", {"photo_base64": b64encode(phone_photo() + b"x").decode()})
    assert (answer.status_code, answer.json()["code"]) == (422, "picture_refused")
    assert "5 MB" in answer.json()["detail"]


def test_a_larger_body_is_refused(owner: ApiClient, site: Site) -> None:
    answer = owner.patch("/me/profile", {"photo_base64": "A" * settings.MAX_JSON_PICTURE_BYTES})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert "7 MB" in answer.json()["detail"]


def test_only_the_photo_makes_a_body_large(owner: ApiClient, site: Site) -> None:
    answer = owner.patch("/me/profile", {"links": ["https://ada.example"] * 20_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


FORMS_OF_BASE64: dict[str, Callable[[str], str]] = {
    "data URL": lambda text: f"data:image/jpeg;base64,{text}",
    "data URL in capitals": lambda text: f"DATA:image/jpeg;name=me.jpg; BASE64,{text}",
    "lines": lambda text: "\r\n".join(text[at : at + 76] for at in range(0, len(text), 76)),
    "URL alphabet": lambda text: text.replace("+", "-").replace("/", "_"),
    "no padding": lambda text: text.rstrip("="),
}


@pytest.mark.parametrize("form", FORMS_OF_BASE64.values(), ids=FORMS_OF_BASE64)
def test_base64_as_it_is_found(owner: ApiClient, site: Site, form: Callable[[str], str]) -> None:
    photo = picture()
    encoded = b64encode(photo + bytes(-len(photo) % 3 + 1)).decode()
    assert owner.patch("/me/profile", {"photo_base64": form(encoded)}).json()["photo_url"]


def test_an_empty_photo_is_no_photo(owner: ApiClient, site: Site) -> None:
    encoded = b64encode(picture()).decode()
    saved = owner.patch("/me/profile", {"photo_url": "", "photo_base64": encoded}).json()["photo_url"]
    assert saved
    assert owner.patch("/me/profile", {"role": "Founder", "photo_base64": ""}).json()["photo_url"] == saved
    assert codes(owner.patch("/me/profile", {"photo_url": "http://127.0.0.1/", "photo_base64": ""})).keys() == {
        "/photo_url"
    }


@pytest.mark.parametrize(
    "sent", ["=", "data:image/png;base64,", "not base64!", "é", "\ufeff/9j/", b64encode(b"GIF89a").decode()]
)
def test_what_is_no_picture_is_refused(owner: ApiClient, site: Site, sent: str) -> None:
    answer = owner.patch("/me/profile", {"role": "Founder", "photo_base64": sent})
    assert (answer.status_code, answer.json()["code"]) == (422, "picture_refused")
    assert not FounderProfile.objects.filter(role="Founder").exists()


def test_a_photo_comes_by_its_address(owner: ApiClient, site: Site, web: PagesServer) -> None:
    web.serve(HOST, "/me.jpg", Answer(body=picture(), content_type="image/jpeg"))
    body = owner.patch("/me/profile", {"photo_url": web.url(HOST, "/me.jpg")}).json()
    assert body["photo_url"]


@pytest.mark.parametrize("path", ["/page", "/gone"])
def test_an_address_without_a_picture_is_refused(owner: ApiClient, site: Site, web: PagesServer, path: str) -> None:
    web.serve(HOST, "/page", "<h1>No picture</h1>")
    answer = owner.patch("/me/profile", {"photo_url": web.url(HOST, path)})
    assert codes(answer) == {"/photo_url": "picture_refused"}


@pytest.mark.parametrize("url", ["http://127.0.0.1/me.jpg", "https://10.0.0.1/me.jpg", "file:///etc/passwd"])
def test_addresses_of_our_own_network_are_not_asked(owner: ApiClient, site: Site, url: str) -> None:
    assert codes(owner.patch("/me/profile", {"photo_url": url})) == {"/photo_url": "picture_refused"}


def test_downloads_are_limited_even_if_they_fail(owner: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "DOWNLOADS_AN_HOUR", replace(services.DOWNLOADS_AN_HOUR, count=2))
    url = "http://127.0.0.1/me.jpg"
    answers = [owner.patch("/me/profile", {"photo_url": url}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [422, 422, 429]
    assert owner.patch("/me/profile", {"photo_base64": b64encode(picture()).decode()}).status_code == 200


def test_one_photo_at_a_time(owner: ApiClient, site: Site) -> None:
    both = {"photo_url": "https://ada.example/me.jpg", "photo_base64": b64encode(picture()).decode()}
    assert set(codes(owner.patch("/me/profile", both))) == {"/photo_base64"}


def test_reading_is_not_enough(owner: ApiClient, site: Site) -> None:
    reader = ApiClient(owner.account, key=api_key(owner.account, [Scope.ACCOUNT_READ]))
    assert reader.patch("/me/profile", {"role": "Founder"}).status_code == 403
