"""Saving a profile: its texts, its links, the address of its page, and its photo."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import transaction

from apps.accounts.founders import services
from apps.accounts.founders.completeness import missing_profile_parts
from apps.accounts.founders.photos import photo_url
from apps.accounts.founders.services import ProfileRefused, remove_photo, set_photo, update_profile
from apps.accounts.models import FounderProfile, User
from apps.core.errors import TooManyRequests
from apps.core.pictures.reading import PictureRefused
from apps.core.stores.valkey.counters import Limit
from apps.sites.models import Site
from tests.factories import UserFactory
from tests.pictures import picture
from tests.racing import run_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    made: User = UserFactory.create()
    return made


def save(user: User, **fields: Any) -> FounderProfile:
    return update_profile(user=user, **{"real_name": "Ada Example", "role": "", "bio": "", "links": [], **fields})


def problems(user: User, **fields: Any) -> dict[str, str]:
    with pytest.raises(ProfileRefused) as caught:
        save(user, **fields)
    return {problem.pointer: problem.code for problem in caught.value.errors}


def test_texts_are_kept_clean(user: User) -> None:
    save(user, real_name=" Ada\u202e  Example\x00 ", role="Foun\tder", bio="One\r\n\r\ntwo\u2066 ")
    saved = FounderProfile.objects.get(user=user)
    assert (saved.real_name, saved.role, saved.bio) == ("Ada Example", "Foun der", "One\n\ntwo")


def test_a_photo_and_texts_do_not_touch_each_other(user: User, site: Site) -> None:
    set_photo(user=user, data=picture(), site=site)
    save(user, bio="Something")
    key = FounderProfile.objects.get(user=user).photo_key
    assert key
    set_photo(user=user, data=picture(), site=site)
    saved = FounderProfile.objects.get(user=user)
    assert (saved.bio, saved.real_name, saved.photo_key != key) == ("Something", "Ada Example", True)


def test_the_account_in_hand_shows_the_new_profile(user: User, site: Site) -> None:
    assert missing_profile_parts(user, site=site)
    save(user, role="Founder", bio="x" * 80)
    set_photo(user=user, data=picture(), site=site)
    assert missing_profile_parts(user, site=site) == []


@pytest.mark.parametrize(("name", "most"), [("real_name", 80), ("role", 80), ("bio", 1000)])
def test_texts_that_are_too_long(user: User, name: str, most: int) -> None:
    save(user, **{name: "x" * most})
    assert problems(user, **{name: "y" * (most + 1)}) == {f"/{name}": "max_length"}
    assert getattr(FounderProfile.objects.get(user=user), name) == "x" * most


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("https://example.com", "https://example.com/"),
        ("https://Example.COM/Me?a=1#top", "https://example.com/Me?a=1#top"),
        ("example.com/me", "https://example.com/me"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("  https://example.com/me  ", "https://example.com/me"),
    ],
)
def test_links_that_are_taken(user: User, line: str, kept: str) -> None:
    assert save(user, links=[line]).links == [kept]


@pytest.mark.parametrize(
    "line",
    [
        "http://example.com/",
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "ftp://example.com/",
        "//example.com/",
        "https://",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://10.0.0.1/",
        "https://user:secret@example.com/",
        "https://example.com:8443/",
        "https://exa mple.com/",
        'https://example.com"onclick="alert(1)/',
        "mailto:ada@example.com",
        "not an address",
    ],
)
def test_links_that_are_refused(user: User, line: str) -> None:
    result = problems(user, links=["https://example.com/", line], bio="Never saved")
    assert result == {"/links": "bad_address"}
    assert not FounderProfile.objects.filter(bio="Never saved").exists()


def test_how_many_links_and_how_long(user: User) -> None:
    five = [f"https://example.com/{number}" for number in range(5)]
    assert save(user, links=[*five, "", five[0], " "]).links == five
    assert problems(user, links=[*five, "https://example.com/6"]) == {"/links": "max_links"}
    longest = "https://example.com/" + "x" * 280
    assert save(user, links=[longest]).links == [longest]
    assert problems(user, links=[longest + "x"]) == {"/links": "max_length"}
    assert FounderProfile.objects.get(user=user).links == [longest]


@pytest.mark.parametrize(
    ("real_name", "slug"),
    [
        ("Ada Example", "ada-example"),
        ("Åsa Öström", "asa-ostrom"),
        ("李小龍", "founder"),
        ("Photos", "photos-2"),
        ("../../admin", "admin"),
        ("_-_", "founder"),
        ("x" * 80, "x" * 80),
    ],
)
def test_the_first_real_name_gives_the_address(user: User, real_name: str, slug: str) -> None:
    assert save(user, real_name="").slug is None
    assert save(user, real_name=real_name).slug == slug
    assert save(user, real_name="Somebody Else").slug == slug
    assert save(user, real_name="").slug == slug


def test_people_of_the_same_name() -> None:
    slugs = [save(UserFactory.create()).slug for _ in range(3)]
    assert slugs == ["ada-example", "ada-example-2", "ada-example-3"]


@pytest.mark.django_db(transaction=True)
def test_people_of_the_same_name_at_the_same_time() -> None:
    users = [UserFactory.create() for _ in range(6)]
    slugs = run_at_once(*[lambda user=user: save(user).slug for user in users])
    assert sorted(filter(None, slugs)) == ["ada-example", *(f"ada-example-{number}" for number in range(2, 7))]


@pytest.mark.django_db(transaction=True)
def test_one_person_in_two_windows(site: Site) -> None:
    user: User = UserFactory.create()
    acts = [lambda user: save(user, bio="Kept"), *[lambda user: set_photo(user=user, data=picture(), site=site)] * 3]
    run_at_once(*[lambda act=act: act(User.objects.get(pk=user.pk)) for act in acts])
    saved = FounderProfile.objects.get(user=user)
    assert (saved.bio, saved.photo_pixels) == ("Kept", 300)
    # Of three photos the last one is left, with all its files.
    assert default_storage.listdir("founders")[0] == [saved.photo_key.rpartition("/")[2]]
    assert len(default_storage.listdir(saved.photo_key)[1]) == 6


@pytest.mark.django_db(transaction=True)
def test_a_new_photo_takes_the_place_of_the_old_one(user: User, site: Site) -> None:
    old = set_photo(user=user, data=picture(), site=site)
    address = photo_url(old)
    new = set_photo(user=user, data=picture(size=(400, 400)), site=site)
    assert new.photo_pixels == 400
    assert photo_url(new) != address
    assert default_storage.listdir("founders")[0] == [new.photo_key.rpartition("/")[2]]
    remove_photo(user=user)
    gone = FounderProfile.objects.get(user=user)
    assert (gone.photo_key, gone.photo_pixels, photo_url(gone)) == ("", 0, "")
    assert default_storage.listdir("founders")[0] == []
    remove_photo(user=user)


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_keeps_its_files(user: User, site: Site) -> None:
    key = set_photo(user=user, data=picture(), site=site).photo_key
    with transaction.atomic():
        remove_photo(user=user)
        transaction.set_rollback(True)
    assert FounderProfile.objects.get(user=user).photo_key == key
    assert len(default_storage.listdir(key)[1]) == 6


def test_a_refused_photo_leaves_the_old_one(user: User, site: Site) -> None:
    key = set_photo(user=user, data=picture(), site=site).photo_key
    with pytest.raises(PictureRefused):
        set_photo(user=user, data=b"no picture", site=site)
    assert FounderProfile.objects.get(user=user).photo_key == key
    assert len(default_storage.listdir(key)[1]) == 6


def test_the_site_says_how_small_a_photo_may_be(user: User, site: Site) -> None:
    site.profile_min_photo_pixels = 301
    with pytest.raises(PictureRefused, match="at least 301"):
        set_photo(user=user, data=picture(), site=site)
    site.profile_min_photo_pixels = 300
    assert set_photo(user=user, data=picture(), site=site).photo_pixels == 300


@pytest.mark.django_db(transaction=True)
def test_files_that_cannot_be_removed_are_left_to_the_sweep(
    user: User, site: Site, monkeypatch: pytest.MonkeyPatch, media: Path
) -> None:
    key = set_photo(user=user, data=picture(), site=site).photo_key

    def fail(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(default_storage, "delete", fail)
    remove_photo(user=user)
    assert FounderProfile.objects.get(user=user).photo_key == ""
    assert len(list((media / key).iterdir())) == 6


def test_photos_an_hour(user: User, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "PHOTOS_AN_HOUR", Limit("photos", 2, 3600))
    for _ in range(2):
        set_photo(user=user, data=picture(), site=site)
    with pytest.raises(TooManyRequests, match="Too many"):
        set_photo(user=user, data=picture(), site=site)
    assert set_photo(user=UserFactory.create(), data=picture(), site=site).photo_key
