"""Uploads: limits, what is refused, what two tabs do, and what nobody saves."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.errors import TooManyRequests, Unprocessable
from apps.core.pictures.reading import PictureRefused
from apps.core.pictures.storage import PicturesUnavailable
from apps.core.stores.valkey.counters import Limit
from apps.listings.models import CompanyPicture, Listing, ListingVersion
from apps.listings.services.locks import NotEditable
from apps.listings.services.pictures import uploads
from apps.listings.services.pictures.uploads import (
    TooManyScreenshots,
    delete_abandoned_uploads,
    discard_uploads,
    save_pictures,
    upload_picture,
)
from tests.api import ApiClient
from tests.pictures import picture

pytestmark = pytest.mark.django_db

SHOT = picture("JPEG", size=(700, 400))


@pytest.fixture
def actor(owner: ApiClient) -> Actor:
    return Actor(user=owner.user, via="browser")


def upload(listing: Listing, actor: Actor, data: bytes = SHOT) -> CompanyPicture:
    return upload_picture(listing=listing, field="screenshots", data=data, by=actor)


def shown(listing: Listing) -> list[str]:
    listing.company.refresh_from_db()
    return list(listing.company.screenshots)


def save(listing: Listing, actor: Actor, *shots: str, seen: tuple[str, ...] = ()) -> list[str]:
    save_pictures(listing=listing, logo="", screenshots=shots, alts={}, seen=seen, by=actor)
    return shown(listing)


def test_an_upload_changes_nothing_until_it_is_saved(listing: Listing, actor: Actor) -> None:
    first, second = upload(listing, actor), upload(listing, actor)
    assert shown(listing) == []
    assert not ListingVersion.objects.exists()
    assert save(listing, actor, second.url, first.url) == [second.url, first.url]
    # One version for the form, not one for each file.
    assert [len(version.changes) for version in ListingVersion.objects.order_by("pk")] == [0, 1]
    assert set(CompanyPicture.objects.values_list("is_listed", "is_upload")) == {(True, True)}


def test_pictures_are_described(listing: Listing, actor: Actor) -> None:
    shot = upload(listing, actor)
    texts = {shot.url: " The\u202e board \n of a week "}
    save_pictures(listing=listing, logo="", screenshots=[shot.url], alts=texts, seen=[], by=actor)
    assert CompanyPicture.objects.get().alt == "The board of a week"
    with pytest.raises(Unprocessable) as caught:
        save_pictures(listing=listing, logo="", screenshots=[], alts={shot.url: "a" * 161}, seen=[shot.url], by=actor)
    assert [error.pointer for error in caught.value.errors] == ["/alts/0"]
    assert shown(listing) == [shot.url]


def test_at_most_eight(listing: Listing, actor: Actor) -> None:
    urls = [f"https://acme.example/{number}.png" for number in range(9)]
    assert len(save(listing, actor, *urls[:8])) == 8
    with pytest.raises(TooManyScreenshots):
        save(listing, actor, *urls, seen=tuple(urls[:8]))
    assert shown(listing) == urls[:8]


def test_two_tabs_lose_nothing_of_each_other(listing: Listing, actor: Actor) -> None:
    a, b, c, d = (upload(listing, actor).url for _ in range(4))
    save(listing, actor, a, b)
    # The first tab adds c and deletes a. The second, opened before, adds d and turns the order.
    save(listing, actor, b, c, seen=(a, b))
    assert save(listing, actor, d, b, a, seen=(a, b)) == [d, b, c]


def test_bad_files_leave_nothing(listing: Listing, actor: Actor, media: Path) -> None:
    for data in (b"", b"<svg/>", picture(size=(10, 10))):
        with pytest.raises(PictureRefused):
            upload(listing, actor, data)
    assert not CompanyPicture.objects.exists()
    assert not media.exists()


def test_a_listing_that_cannot_be_edited_gets_no_files(listing: Listing, actor: Actor, media: Path) -> None:
    Listing.objects.update(status=Listing.Status.REJECTED)
    with pytest.raises(NotEditable):
        upload(listing, actor)
    assert [path for path in media.rglob("*") if path.is_file()] == []


def test_others_listings_get_no_files(listing: Listing, other_owner: ApiClient, media: Path) -> None:
    with pytest.raises(NotEditable):
        upload(listing, Actor(user=other_owner.user, via="browser"))
    assert [path for path in media.rglob("*") if path.is_file()] == []


def test_a_full_disk_leaves_nothing(listing: Listing, actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = default_storage.save

    def fail_late(name: str, content: Any) -> str:
        if name.endswith(".jpg"):
            raise OSError("disk full")
        return saved(name, content)

    monkeypatch.setattr(default_storage, "save", fail_late)
    with pytest.raises(PicturesUnavailable):
        upload(listing, actor)
    assert not CompanyPicture.objects.exists()
    assert default_storage.listdir("pictures") == ([], [])


def test_uploads_are_limited_even_if_they_fail(listing: Listing, actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "UPLOADS_AN_HOUR", Limit("picture-uploads", 2, 3600, events="uploads"))
    for _ in range(2):
        with pytest.raises(PictureRefused):
            upload(listing, actor, b"x")
    with pytest.raises(TooManyRequests):
        upload(listing, actor)


@pytest.mark.slow
def test_unsaved_uploads_do_not_pile_up(
    listing: Listing, actor: Actor, django_capture_on_commit_callbacks: object
) -> None:
    saved = upload(listing, actor)
    save(listing, actor, saved.url)
    for _ in range(20):
        upload(listing, actor)
    assert CompanyPicture.objects.filter(is_listed=False).count() == 16
    assert CompanyPicture.objects.filter(pk=saved.pk).exists()


def test_discarded_uploads_go(listing: Listing, actor: Actor) -> None:
    saved, other = upload(listing, actor), upload(listing, actor)
    save(listing, actor, saved.url)
    discard_uploads([saved, other])
    assert CompanyPicture.objects.get() == saved


def test_what_nobody_saves_goes_after_a_day(listing: Listing, actor: Actor) -> None:
    saved, lost = upload(listing, actor), upload(listing, actor)
    save(listing, actor, saved.url)
    assert delete_abandoned_uploads() == 0
    with time_machine.travel(timezone.now() + timedelta(hours=25), tick=False):
        fresh = upload(listing, actor)
        assert delete_abandoned_uploads() == 1
    assert set(CompanyPicture.objects.values_list("pk", flat=True)) == {saved.pk, fresh.pk}
    assert lost.pk not in {saved.pk, fresh.pk}
