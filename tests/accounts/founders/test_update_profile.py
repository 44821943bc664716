"""update_profile: only what is sent changes. A photo comes by address or in the body, and is checked like an upload."""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from apps.accounts.founders import services
from apps.accounts.models import FounderProfile
from apps.core.api.scopes import Scope
from apps.sites.models import Site
from tests.api import ApiClient
from tests.factories import api_key
from tests.pages_server import Answer, PagesServer
from tests.pictures import picture

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


def test_a_photo_comes_in_the_body(owner: ApiClient, site: Site) -> None:
    body = owner.patch("/me/profile", {"photo_base64": b64encode(picture()).decode()}).json()
    assert body["photo_url"].startswith(site.url("/founders/photos/"))
    assert owner.patch("/me/profile", {"role": "Founder"}).json()["photo_url"] == body["photo_url"]
    assert owner.patch("/me/profile", {"photo_url": ""}).json()["photo_url"] == ""


@pytest.mark.parametrize("sent", ["not base64!", b64encode(b"GIF89a").decode()])
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
    assert owner.user is not None
    reader = ApiClient(owner.user, key=api_key(owner.user, [Scope.ACCOUNT_READ]))
    assert reader.patch("/me/profile", {"role": "Founder"}).status_code == 403
