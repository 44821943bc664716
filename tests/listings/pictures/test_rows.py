"""Pictures follow the fields logo_url and screenshots through edits, restores, merges and the erasure of accounts."""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.files.storage import default_storage

from apps.accounts.actors import SYSTEM, Actor
from apps.core.operations.personal_data.archive import write_archive
from apps.core.operations.personal_data.erasure import erase_rows
from apps.listings.models import CompanyPicture, Listing, ListingVersion
from apps.listings.services.editing import restore_version, update_my_listing
from apps.listings.services.merging import merge_companies
from apps.listings.services.pictures.downloads import download_pictures
from apps.listings.services.pictures.uploads import save_pictures, upload_picture
from tests.api import ApiClient
from tests.factories import CompanyFactory
from tests.listings.pictures.conftest import HOST
from tests.pages_server import Answer, PagesServer
from tests.pictures import picture

pytestmark = pytest.mark.django_db

ONE, TWO = "https://acme.example/one.png", "https://acme.example/two.png"
LOGO = "https://acme.example/logo.png"


def by(owner: ApiClient) -> Actor:
    return Actor(user=owner.user, via="browser")


def rows(listing: Listing) -> dict[tuple[str, str], CompanyPicture]:
    return {(row.field, row.url): row for row in CompanyPicture.objects.filter(company=listing.company_id)}


def folders() -> set[str]:
    if not default_storage.exists("pictures"):
        return set()
    return {f"pictures/{name}" for name in default_storage.listdir("pictures")[0]}


def upload(listing: Listing, owner: ApiClient, field: str = "screenshots") -> CompanyPicture:
    return upload_picture(listing=listing, field=field, data=picture(size=(1280, 800)), by=by(owner))


def save(listing: Listing, owner: ApiClient, *shots: str, logo: str = "") -> None:
    listing.company.refresh_from_db()
    seen = listing.company.screenshots
    save_pictures(listing=listing, logo=logo, screenshots=shots, alts={}, seen=seen, by=by(owner))
    listing.company.refresh_from_db()


def test_a_write_asks_for_downloads_after_the_commit(
    owner: ApiClient, listing: Listing, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr("apps.listings.tasks.download_pictures.delay", asked.append)
    with django_capture_on_commit_callbacks(execute=True):
        owner.patch(f"/me/listings/{listing.pk}", {"fields": {"logo_url": LOGO, "screenshots": [ONE, TWO]}})
        assert asked == []
    assert asked == [listing.company_id]
    assert {row.status for row in rows(listing).values()} == {"pending"}
    assert set(rows(listing)) == {("logo_url", LOGO), ("screenshots", ONE), ("screenshots", TWO)}
    # Nothing new, nothing to do.
    with django_capture_on_commit_callbacks(execute=True):
        CompanyPicture.objects.update(download_at=None, key="pictures/0")
        owner.patch(f"/me/listings/{listing.pk}", {"fields": {"screenshots": [TWO, ONE]}})
    assert asked == [listing.company_id]


@pytest.mark.slow
def test_what_no_field_names_goes_with_its_files(
    owner: ApiClient, listing: Listing, django_capture_on_commit_callbacks: Any
) -> None:
    logo, first, second = (upload(listing, owner, field) for field in ("logo_url", "screenshots", "screenshots"))
    with django_capture_on_commit_callbacks(execute=True):
        save(listing, owner, first.url, second.url, logo=logo.url)
    assert listing.company.logo_key == logo.key
    assert folders() == {logo.key, first.key, second.key}
    with django_capture_on_commit_callbacks(execute=True):
        save(listing, owner, second.url)
    assert (listing.company.logo_url, listing.company.logo_key) == ("", "")
    assert folders() == {second.key}
    assert set(rows(listing)) == {("screenshots", second.url)}


def test_a_rollback_keeps_the_files(
    owner: ApiClient, listing: Listing, django_capture_on_commit_callbacks: Any
) -> None:
    shot = upload(listing, owner)
    save(listing, owner, shot.url)
    with django_capture_on_commit_callbacks(execute=False):
        save(listing, owner)
    assert folders() == {shot.key}


def test_our_own_urls_lead_back_to_the_picture(owner: ApiClient, listing: Listing, web: PagesServer) -> None:
    web.serve(HOST, "/one.png", Answer(body=picture("PNG", size=(1280, 800)), content_type="image/png"))
    source = web.url(HOST, "/one.png")
    update_my_listing(listing=listing, fields={"screenshots": [source]}, by=by(owner))
    download_pictures(listing.company_id)
    uploaded = upload(listing, owner)
    save(listing, owner, source, uploaded.url)
    ours = [row.image_url for row in (rows(listing)["screenshots", source], uploaded)]
    body = owner.patch(f"/me/listings/{listing.pk}", {"fields": {"screenshots": ours[::-1]}}).json()
    assert (body["screenshots"], body["changed"]) == ([uploaded.url, source], ["screenshots"])
    assert all(row.key for row in rows(listing).values())


def test_a_restored_version_leaves_deleted_uploads_out(owner: ApiClient, listing: Listing) -> None:
    first, second = upload(listing, owner), upload(listing, owner)
    save(listing, owner, first.url, second.url)
    version = ListingVersion.objects.filter(company=listing.company, listing=None).latest("pk")
    save(listing, owner, second.url)
    update_my_listing(listing=listing, fields={"screenshots": [ONE, second.url]}, by=by(owner))
    restore_version(version=version, by=by(owner))
    listing.company.refresh_from_db()
    assert listing.company.screenshots == [second.url]


def test_a_merge_takes_pictures_along(
    owner: ApiClient, listing: Listing, django_capture_on_commit_callbacks: Any
) -> None:
    shot, logo = upload(listing, owner), upload(listing, owner, "logo_url")
    save(listing, owner, shot.url, logo=logo.url)
    keep = CompanyFactory.create(owner=owner.user, logo_url=LOGO)
    CompanyPicture.objects.create(company=keep, field="logo_url", url=LOGO, key="pictures/" + "0" * 32)
    with django_capture_on_commit_callbacks(execute=True):
        merge_companies(keep=keep, drop=listing.company, by=SYSTEM)
    keep.refresh_from_db()
    listing.company.refresh_from_db()
    assert (keep.screenshots, keep.logo_key) == ([shot.url], "pictures/" + "0" * 32)
    assert {row.key for row in CompanyPicture.objects.filter(company=keep)} == {shot.key, keep.logo_key}
    assert not CompanyPicture.objects.exclude(company=keep).exists()
    assert folders() == {shot.key}


def test_the_erasure_of_an_account_takes_them(
    owner: ApiClient, listing: Listing, media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    shot = upload(listing, owner)
    save(listing, owner, shot.url, logo=LOGO)
    with django_capture_on_commit_callbacks(execute=True):
        erase_rows(owner.account)
    listing.company.refresh_from_db()
    assert (listing.company.logo_url, listing.company.screenshots, listing.company.logo_key) == ("", [], "")
    assert not CompanyPicture.objects.exists()
    assert folders() == set()


def test_an_export_has_the_files_of_every_picture(owner: ApiClient, listing: Listing, tmp_path: Path) -> None:
    first, second = upload(listing, owner), upload(listing, owner)
    save(listing, owner, first.url, second.url)
    with (tmp_path / "copy.zip").open("wb") as file:
        write_archive(owner.account, file)
    with ZipFile(tmp_path / "copy.zip") as archive:
        names = {name for name in archive.namelist() if name.startswith("listings.companypicture/")}
    files = ("1280.webp", "960.webp", "480.webp", "1280.jpg")
    assert names == {f"listings.companypicture/{row.pk}.{name}" for row in (first, second) for name in files}
