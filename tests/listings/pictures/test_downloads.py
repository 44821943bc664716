"""Pictures named by URL: every check of an upload, and what is tried again."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from apps.accounts.actors import SYSTEM
from apps.core.stores.valkey.counters import Limit
from apps.listings.models import CompanyPicture, Listing, ListingVersion
from apps.listings.schedule import BEAT
from apps.listings.services.editing import restore_version, update_my_listing
from apps.listings.services.pictures import downloads
from apps.listings.services.pictures.downloads import companies_to_download, download_pictures
from apps.listings.tasks import delete_abandoned_uploads
from tests.api import ApiClient
from tests.listings.pictures.conftest import HOST
from tests.pages_server import Answer, PagesServer
from tests.pictures import SCRIPT, picture, png_that_claims

pytestmark = pytest.mark.django_db

PICTURE = picture("PNG", size=(1280, 800))


def ask(listing: Listing, *urls: str, logo: str | None = None) -> None:
    fields = {"screenshots": list(urls)} if logo is None else {"logo_url": logo}
    update_my_listing(listing=listing, fields=fields, by=SYSTEM)


def only() -> CompanyPicture:
    result: CompanyPicture = CompanyPicture.objects.get()
    return result


def answer(body: bytes = PICTURE, content_type: str = "image/png", **more: Any) -> Answer:
    return Answer(body=body, content_type=content_type, **more)


def test_a_logo_is_stored_and_shown(listing: Listing, web: PagesServer) -> None:
    web.serve(HOST, "/logo.png", answer(picture("PNG", size=(256, 256))))
    ask(listing, logo=web.url(HOST, "/logo.png"))
    download_pictures(listing.company_id)
    listing.company.refresh_from_db()
    assert (only().status, listing.company.logo_key) == ("stored", only().key)
    # The field keeps what was sent.
    assert listing.company.logo_url == web.url(HOST, "/logo.png")
    assert companies_to_download() == []


@pytest.mark.parametrize("content_type", ["image/jpg", "application/octet-stream", "image/webp", ""])
def test_the_file_decides_and_not_its_declared_type(listing: Listing, web: PagesServer, content_type: str) -> None:
    web.serve(HOST, "/shot", answer(content_type=content_type))
    ask(listing, web.url(HOST, "/shot"))
    download_pictures(listing.company_id)
    assert only().status == "stored"


@pytest.mark.parametrize(
    "reply",
    [
        lambda: answer(b"<svg xmlns='http://www.w3.org/2000/svg'>" + SCRIPT + b"</svg>", "image/svg+xml"),
        lambda: answer(b"<svg xmlns='http://www.w3.org/2000/svg'>" + SCRIPT + b"</svg>", "image/png"),
        lambda: answer(b"<h1>No picture</h1>", "text/html"),
        lambda: answer(png_that_claims(60_000, 60_000)),
        lambda: answer(picture("PNG", size=(32, 32))),
        lambda: answer(PICTURE + bytes(6 * 2**20)),
        lambda: answer(status=404),
        lambda: answer(status=403),
    ],
)
def test_what_is_no_picture_is_refused_for_good(
    listing: Listing, web: PagesServer, media: Path, reply: Callable[[], Answer]
) -> None:
    web.serve(HOST, "/shot", reply())
    ask(listing, web.url(HOST, "/shot"))
    download_pictures(listing.company_id)
    assert (only().status, only().download_at, bool(only().problem)) == ("refused", None, True)
    assert not media.exists()


@pytest.mark.parametrize("url", ["http://127.0.0.1/shot.png", "https://10.0.0.1/shot.png", "http://[::1]/shot.png"])
def test_private_addresses_are_never_requested(listing: Listing, url: str) -> None:
    ask(listing, url)
    download_pictures(listing.company_id)
    assert only().status == "refused"


def test_a_redirect_into_our_network_is_not_followed(listing: Listing, web: PagesServer) -> None:
    web.serve(HOST, "/shot", answer(status=302, headers={"Location": f"http://127.0.0.1:{web.port}/inner"}))
    ask(listing, web.url(HOST, "/shot"))
    download_pictures(listing.company_id)
    assert only().status == "refused"
    assert [seen.path for seen in web.seen] == ["/shot"]


def test_a_busy_server_is_asked_again_later(listing: Listing, web: PagesServer) -> None:
    web.serve(HOST, "/shot", lambda count: answer(status=503) if count < 2 else answer())
    ask(listing, web.url(HOST, "/shot"))
    for hours in range(3):
        with time_machine.travel(timezone.now() + timedelta(hours=hours), tick=False):
            download_pictures(listing.company_id)
            # Not twice in the same minute.
            download_pictures(listing.company_id)
    assert (only().status, only().attempts, len(web.seen)) == ("stored", 3, 3)


def test_a_host_that_is_never_reached_is_no_wrong_picture(listing: Listing, settings: Any) -> None:
    settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({"gone.localhost:9"})
    problems = []
    for url in ("http://gone.localhost:9/shot.png", "http://127.0.0.1/shot.png"):
        ask(listing, url)
        download_pictures(listing.company_id)
        problems.append(only().problem)
    # Alike: nobody may learn what answers in our network.
    assert problems[0] == problems[1]
    assert "reach" in problems[0]


def test_what_went_wrong_is_said_while_it_is_tried_again(listing: Listing, web: PagesServer) -> None:
    web.serve(HOST, "/shot", answer(status=503))
    ask(listing, web.url(HOST, "/shot"))
    download_pictures(listing.company_id)
    assert (only().status, only().download_at is None) == ("pending", False)
    assert "503" in only().problem


def test_a_server_that_stays_busy_is_given_up(listing: Listing, web: PagesServer) -> None:
    web.serve(HOST, "/shot", answer(status=503))
    ask(listing, web.url(HOST, "/shot"))
    for hours in range(downloads.MAX_ATTEMPTS + 2):
        with time_machine.travel(timezone.now() + timedelta(hours=hours), tick=False):
            download_pictures(listing.company_id)
    assert (only().status, len(web.seen)) == ("refused", downloads.MAX_ATTEMPTS)
    # Sending the field again asks again.
    web.serve(HOST, "/shot", answer())
    ask(listing, web.url(HOST, "/shot"))
    download_pictures(listing.company_id)
    assert only().status == "stored"


def test_a_picture_that_was_replaced_meanwhile_leaves_nothing(
    listing: Listing, web: PagesServer, media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replaced(url: str) -> bytes:
        ask(listing)
        return PICTURE

    ask(listing, "https://acme.example/old.png")
    monkeypatch.setattr(downloads, "download_picture", replaced)
    download_pictures(listing.company_id)
    assert not CompanyPicture.objects.exists()
    assert [path for path in media.rglob("*") if path.is_file()] == []


def test_an_owner_past_the_limit_waits(listing: Listing, web: PagesServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "DOWNLOADS_AN_HOUR", Limit("picture-downloads", 1, 3600))
    for name in ("one", "two"):
        web.serve(HOST, f"/{name}", answer())
    ask(listing, web.url(HOST, "/one"), web.url(HOST, "/two"))
    download_pictures(listing.company_id)
    assert sorted(row.status for row in CompanyPicture.objects.all()) == ["pending", "stored"]
    assert companies_to_download() == []
    with time_machine.travel(timezone.now() + timedelta(hours=2), tick=False):
        assert companies_to_download() == [listing.company_id]


def test_lost_messages_are_found_each_minute() -> None:
    [entry] = [entry for entry in BEAT.values() if entry["task"] == "apps.listings.tasks.download_due_pictures"]
    assert entry["schedule"] == 60


def test_programs_see_our_copies_and_the_owner_the_state_of_each(
    listing: Listing, owner: ApiClient, anonymous: ApiClient, web: PagesServer
) -> None:
    Listing.objects.update(plan="paid")
    for name in ("logo", "one"):
        web.serve(HOST, f"/{name}", answer())
    logo, one, lost = (web.url(HOST, f"/{name}") for name in ("logo", "one", "lost"))
    update_my_listing(listing=listing, fields={"logo_url": logo, "screenshots": [lost, one]}, by=SYSTEM)
    before = anonymous.get(f"/listings/{listing.slug}").json()
    assert (before["logo_url"], before["screenshots"]) == ("", [])
    pending = owner.get(f"/me/listings/{listing.pk}", {"include": "pictures"}).json()
    assert {item["status"] for item in pending["pictures"]} == {"pending"}
    download_pictures(listing.company_id)
    own = owner.get(f"/me/listings/{listing.pk}", {"include": "pictures"}).json()
    assert [lost in step for step in own["next_steps"]].count(True) == 1
    assert (own["logo_url"], own["screenshots"]) == (logo, [lost, one])
    assert [(item["field"], item["url"], item["status"]) for item in own["pictures"]] == [
        ("logo_url", logo, "stored"),
        ("screenshots", lost, "refused"),
        ("screenshots", one, "stored"),
    ]
    ours = [item["image_url"] for item in own["pictures"]]
    assert (ours[1], bool(own["pictures"][1]["problem"])) == ("", True)
    public = anonymous.get(f"/listings/{listing.slug}").json()
    assert (public["logo_url"], public["screenshots"]) == (ours[0], [ours[2]])
    [result] = anonymous.get("/listings").json()["items"]
    assert result["logo_url"] == ours[0]
    [mine] = owner.get("/me/listings").json()["items"]
    assert mine["logo_url"] == logo


def test_files_are_served_forever_and_as_nothing_but_images(listing: Listing, web: PagesServer, client: Client) -> None:
    web.serve(HOST, "/one", answer())
    ask(listing, web.url(HOST, "/one"))
    download_pictures(listing.company_id)
    key = only().key
    served = client.get(f"/{key}/960.webp")
    assert (served.status_code, served["Content-Type"]) == (200, "image/webp")
    assert "immutable" in served["Cache-Control"]
    assert served["X-Content-Type-Options"] == "nosniff"
    for name in ("961.webp", "960.png", "960.webp.jpg", "../../secret", "960.svg"):
        assert client.get(f"/{key}/{name}").status_code == 404


BAD_REPLIES = {
    "svg": answer(b"<svg xmlns='http://www.w3.org/2000/svg'>" + SCRIPT + b"</svg>", "image/svg+xml"),
    "gone": answer(status=404),
    "busy": answer(status=503),
}


@pytest.mark.parametrize("reply", BAD_REPLIES)
def test_a_stored_picture_stays_public_until_its_replacement_is_stored(
    listing: Listing, anonymous: ApiClient, owner: ApiClient, web: PagesServer, reply: str
) -> None:
    Listing.objects.update(plan="paid")
    for name in ("logo", "one", "two"):
        web.serve(HOST, f"/{name}", answer())
    logo, one, two = (web.url(HOST, f"/{name}") for name in ("logo", "one", "two"))
    update_my_listing(listing=listing, fields={"logo_url": logo, "screenshots": [one, two]}, by=SYSTEM)
    download_pictures(listing.company_id)
    public = shown(listing, anonymous)
    assert public[0]
    assert len(public[1]) == 2

    web.serve(HOST, "/new", BAD_REPLIES[reply])
    new = web.url(HOST, "/new")
    path = f"/me/listings/{listing.pk}"
    update_my_listing(listing=listing, fields={"logo_url": new, "screenshots": [one, new]}, by=SYSTEM)
    assert shown(listing, anonymous) == public
    download_pictures(listing.company_id)
    assert shown(listing, anonymous) == public
    own = owner.get(path, {"include": "pictures"}).json()
    assert [bool(item["problem"]) for item in own["pictures"]] == [True, False, True]
    assert ["Visitors see the previous picture" in step for step in own["next_steps"]].count(True) == 2
    assert [item["image_url"] for item in own["pictures"]] == [public[0], *public[1]]

    # The former URLs come back without a download.
    asked = len(web.seen)
    update_my_listing(listing=listing, fields={"logo_url": logo, "screenshots": [one, two]}, by=SYSTEM)
    download_pictures(listing.company_id)
    assert (shown(listing, anonymous), len(web.seen)) == (public, asked)
    assert CompanyPicture.objects.count() == 3


def test_a_replacement_is_shown_once_it_is_stored(
    listing: Listing, anonymous: ApiClient, owner: ApiClient, web: PagesServer
) -> None:
    for name in ("one", "two"):
        web.serve(HOST, f"/{name}", answer())
    one, bad, two = (web.url(HOST, f"/{name}") for name in ("one", "bad", "two"))
    for url in (one, bad, two):
        before = shown(listing, anonymous)[0]
        ask(listing, logo=url)
        assert shown(listing, anonymous)[0] == before
        download_pictures(listing.company_id)
    rows = {row.url: row for row in CompanyPicture.objects.all()}
    assert set(rows) == {one, two}
    assert shown(listing, anonymous)[0] == rows[two].image_url
    # The same URL again changes nothing.
    asked, versions = len(web.seen), ListingVersion.objects.count()
    ask(listing, logo=two)
    download_pictures(listing.company_id)
    assert (len(web.seen), ListingVersion.objects.count()) == (asked, versions)
    # A removed picture leaves nothing behind.
    ask(listing, logo="")
    assert (shown(listing, anonymous)[0], CompanyPicture.objects.count()) == ("", 0)


def test_history_restores_a_replaced_picture_for_90_days(
    listing: Listing, anonymous: ApiClient, web: PagesServer, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    web.serve(HOST, "/one", answer())
    one, bad = (web.url(HOST, f"/{name}") for name in ("one", "bad"))
    ask(listing, logo=one)
    download_pictures(listing.company_id)
    version = ListingVersion.objects.latest("pk")
    public = shown(listing, anonymous)
    ask(listing, logo=bad)
    download_pictures(listing.company_id)
    web.serve(HOST, "/one", answer(status=404))
    with time_machine.travel(timezone.now() + timedelta(days=91), tick=False):
        # Visitors still see it.
        delete_abandoned_uploads()
        assert shown(listing, anonymous) == public
        restore_version(version=version, by=SYSTEM)
        download_pictures(listing.company_id)
        assert shown(listing, anonymous) == public
        web.serve(HOST, "/two", answer())
        ask(listing, logo=web.url(HOST, "/two"))
        download_pictures(listing.company_id)
        delete_abandoned_uploads()
        assert CompanyPicture.objects.count() == 2
    with (
        time_machine.travel(timezone.now() + timedelta(days=182), tick=False),
        django_capture_on_commit_callbacks(execute=True),
    ):
        delete_abandoned_uploads()
    assert only().url == web.url(HOST, "/two")
    assert {path.parent.name for path in media.rglob("*.webp")} == {only().key.rpartition("/")[2]}


def test_few_replaced_pictures_are_kept(listing: Listing, web: PagesServer) -> None:
    for number in range(20):
        web.serve(HOST, f"/{number}", answer())
        ask(listing, logo=web.url(HOST, f"/{number}"))
        CompanyPicture.objects.filter(key="").update(key=f"pictures/{number:032}", download_at=None)
    assert CompanyPicture.objects.filter(is_listed=False).count() == 17
    assert not CompanyPicture.objects.filter(url=web.url(HOST, "/0")).exists()


def shown(listing: Listing, anonymous: ApiClient) -> tuple[str, list[str]]:
    """The logo and screenshots that visitors see."""
    public = anonymous.get(f"/listings/{listing.slug}").json()
    return public["logo_url"], public["screenshots"]
