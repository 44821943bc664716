"""The nightly task that removes files no profile names."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.accounts.founders.photos import delete_lost_photos, store_photo
from apps.accounts.founders.services import set_photo
from apps.accounts.schedule import BEAT
from apps.sites.models import Site
from tests.factories import UserFactory
from tests.pictures import photo_with_notes, picture


def make_old(media: Path, *, hours: float = 25) -> None:
    moment = (timezone.now() - timedelta(hours=hours)).timestamp()
    for path in media.rglob("*"):
        os.utime(path, (moment, moment))


def folders() -> set[str]:
    return {f"founders/{name}" for name in default_storage.listdir("founders")[0]}


@pytest.mark.django_db
def test_only_what_is_old_and_nobodys_is_removed(site: Site, media: Path) -> None:
    shown = set_photo(user=UserFactory.create(), data=picture(), site=site).photo_key
    lost = store_photo(picture(), min_pixels=256).key
    broken_off = "founders/" + "0" * 32
    default_storage.save(f"{broken_off}/512.webp", ContentFile(b"half"))
    default_storage.save("founders/upload.jpg", ContentFile(photo_with_notes()))
    default_storage.save("elsewhere/file.txt", ContentFile(b"not ours"))
    make_old(media)
    fresh = store_photo(picture(), min_pixels=256).key
    default_storage.save("founders/just-now.jpg", ContentFile(b"x"))
    assert folders() == {shown, lost, broken_off, fresh}
    assert delete_lost_photos() == 3
    assert folders() == {shown, fresh}
    assert default_storage.listdir("founders")[1] == ["just-now.jpg"]
    assert len(default_storage.listdir(shown)[1]) == 6
    assert default_storage.exists("elsewhere/file.txt")
    assert delete_lost_photos() == 0


@pytest.mark.django_db
def test_an_upload_that_is_still_on_its_way_is_left_alone(media: Path) -> None:
    key = store_photo(picture(), min_pixels=256).key
    make_old(media)
    os.utime(media / key / "96.jpg")
    assert delete_lost_photos() == 0
    assert folders() == {key}


@pytest.mark.django_db
def test_nothing_was_ever_uploaded(media: Path) -> None:
    assert delete_lost_photos() == 0
    assert not media.exists()


def test_it_is_done_every_day() -> None:
    [entry] = [entry for entry in BEAT.values() if entry["task"] == "apps.accounts.tasks.delete_lost_photos"]
    assert entry["schedule"] == 24 * 3600
