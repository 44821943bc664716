"""Photos in an S3 bucket, and what the system checks say of its settings."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from apps.accounts.founders.photos import delete_lost_photos, photo_url, store_photo
from apps.accounts.founders.services import remove_photo, set_photo
from apps.accounts.models import FounderProfile
from apps.sites.models import Site
from config import media
from tests.accounts.founders.bucket import NAME, Bucket, bucket_server
from tests.factories import UserFactory
from tests.pictures import picture

# One of the system checks asks the database.
pytestmark = pytest.mark.django_db

NAMES = ["S3_BUCKET", "S3_ENDPOINT_URL", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"]
GOOD = ["photos", "https://s3.example.com", "eu-1", "AKTEST", "secret"]


@pytest.fixture
def bucket(settings: Any) -> Iterator[Bucket]:
    with bucket_server() as running:
        default = media.storage(
            bucket=NAME, endpoint_url=running.url, region="", access_key="AKTEST", secret_key="secret"
        )
        settings.STORAGES = {**settings.STORAGES, "default": default}
        yield running


@pytest.mark.django_db(transaction=True)
def test_a_photo_lives_in_the_bucket(bucket: Bucket, site: Site) -> None:
    user = UserFactory.create()
    profile = set_photo(user=user, data=picture(), site=site)
    names = {f"{profile.photo_key}/{size}.{kind}" for size in (512, 192, 96) for kind in ("webp", "jpg")}
    assert set(bucket.objects) == names
    assert {bucket.objects[name][2] for name in names} == {"image/webp", "image/jpeg"}
    # People get photos from us: the bucket itself stays closed.
    puts = [headers for method, _, headers in bucket.requests if method == "PUT"]
    assert len(puts) == len(bucket.requests) == 6
    assert not any("x-amz-acl" in {name.lower() for name in headers} for headers in puts)
    answer = Client().get(photo_url(profile, 192, "webp"))
    with Image.open(BytesIO(answer.content)) as image:
        assert (image.format, image.size) == ("WEBP", (192, 192))
    remove_photo(user=user)
    assert bucket.objects == {}
    assert Client().get(photo_url(profile, 192, "webp")).status_code == 404


@pytest.mark.slow
@pytest.mark.django_db
def test_lost_photos_in_the_bucket(bucket: Bucket, site: Site) -> None:
    assert delete_lost_photos() == 0
    shown = set_photo(user=UserFactory.create(), data=picture(), site=site).photo_key
    store_photo(picture(), min_pixels=256)
    bucket.objects["founders/upload.jpg"] = (b"whole", *bucket.objects[f"{shown}/96.jpg"][1:])
    assert delete_lost_photos() == 0
    bucket.make_old()
    fresh = store_photo(picture(), min_pixels=256).key
    assert delete_lost_photos() == 2
    assert {key.rpartition("/")[0] for key in bucket.objects} == {shown, fresh}


@pytest.mark.slow
@pytest.mark.django_db
def test_a_bucket_that_fails_loses_nothing(bucket: Bucket) -> None:
    user = UserFactory.create()
    client = Client()
    client.force_login(user)
    upload = {"bio": "Typed", "photo": SimpleUploadedFile("me.jpg", picture())}
    bucket.fails = True
    answer = client.post("/account/profile", upload)
    assert answer.status_code == 503
    assert "be saved right now" in answer.content.decode()
    saved = FounderProfile.objects.get(user=user)
    assert (saved.bio, saved.photo_key, bucket.objects) == ("Typed", "", {})


@pytest.mark.slow
@pytest.mark.django_db
def test_a_photo_is_told_as_out_of_reach_while_the_bucket_is(bucket: Bucket, site: Site) -> None:
    user = UserFactory.create()
    address = photo_url(set_photo(user=user, data=picture(), site=site))
    bucket.fails = True
    answer = Client().get(address)
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "60", "no-store")
    bucket.fails = False
    assert Client().get(address).status_code == 200


def test_without_a_bucket_files_lie_in_the_data_directory() -> None:
    nothing = media.storage(bucket="", endpoint_url="x", region="x", access_key="x", secret_key="x")
    assert nothing == {"BACKEND": "django.core.files.storage.FileSystemStorage"}


def test_amazon_and_other_servers() -> None:
    amazon = media.storage(bucket="b", endpoint_url="", region="eu-west-1", access_key="", secret_key="")["OPTIONS"]
    assert (amazon["endpoint_url"], amazon["region_name"]) == (None, "eu-west-1")
    assert not {"access_key", "secret_key"} & set(amazon)
    assert amazon["client_config"].s3 == {"addressing_style": "auto"}
    other = media.storage(bucket="b", endpoint_url="https://s3.example", region="", access_key="k", secret_key="s")
    assert other["OPTIONS"]["client_config"].s3 == {"addressing_style": "path"}
    assert other["OPTIONS"]["access_key"] == "k"


def found(settings: Any, values: dict[str, str]) -> list[tuple[str, str]]:
    """Id and hint of what is said about the bucket."""
    for name in NAMES:
        setattr(settings, name, values.get(name, ""))
    said = [message for message in run_checks() if (message.id or "").startswith("accounts.")]
    return [(message.id or "", message.hint or "") for message in said]


def test_nothing_set_everything_set_and_the_machines_own_role(settings: Any) -> None:
    assert found(settings, {}) == []
    assert found(settings, dict(zip(NAMES, GOOD, strict=True))) == []
    assert found(settings, {"S3_BUCKET": "photos"}) == []


@pytest.mark.parametrize("name", NAMES[1:])
def test_settings_without_a_bucket(settings: Any, name: str) -> None:
    [(code, hint)] = found(settings, {name: "x"})
    assert (code, hint.endswith(f"Otherwise, unset {name}.")) == ("accounts.W001", True)


@pytest.mark.parametrize(("name", "other"), [(NAMES[3], NAMES[4]), (NAMES[4], NAMES[3])])
def test_half_a_key(settings: Any, name: str, other: str) -> None:
    [(code, hint)] = found(settings, {"S3_BUCKET": "photos", name: "x"})
    assert (code, hint.startswith(f"Set {other}, or unset")) == ("accounts.E002", True)


@pytest.mark.parametrize(
    ("address", "codes"),
    [
        ("http://s3.example.com", ["accounts.E004"]),
        ("s3.example.com", ["accounts.E004"]),
        ("https://", ["accounts.E004"]),
        ("http://127.0.0.1:9000", []),
        ("http://localhost:9000", []),
        ("https://s3.example.com", []),
    ],
)
def test_keys_do_not_travel_unencrypted(settings: Any, address: str, codes: list[str]) -> None:
    assert [code for code, _ in found(settings, {"S3_BUCKET": "photos", "S3_ENDPOINT_URL": address})] == codes


def test_a_client_that_is_not_installed(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.accounts.founders.checks.find_spec", lambda name: None)
    [(code, hint)] = found(settings, {"S3_BUCKET": "photos"})
    assert code == "accounts.E003"
    assert "docs/operations/running.md#extras" in hint
