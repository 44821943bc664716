"""Where backups go: what has a backup's name is whole, on a disk and in a bucket."""

import io
import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

import pyrage
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from config.backup.archive import BackupError, encrypting
from config.backup.contents import unpacked
from config.backup.places import opened, place
from tests.accounts.founders.bucket import NAME, Bucket, bucket_server

SMALL, LARGE = b"a backup", os.urandom(20_000_000)


@pytest.fixture
def bucket(settings: Any) -> Iterator[Bucket]:
    with bucket_server() as running:
        settings.S3_ENDPOINT_URL = running.url
        settings.S3_ACCESS_KEY_ID, settings.S3_SECRET_ACCESS_KEY = "AKTEST", "secret"
        yield running


def fill_with(content: bytes) -> Any:
    return lambda target: target.write(content)


def breaking_off(target: IO[bytes]) -> None:
    target.write(LARGE)
    raise BackupError("PostgreSQL went away.")


@pytest.mark.slow
@pytest.mark.parametrize("content", [SMALL, LARGE], ids=["small", "large"])
def test_a_bucket_gives_back_what_it_took(bucket: Bucket, content: bytes) -> None:
    place(f"s3://{NAME}/nightly/one.tar").write(fill_with(content), suffix=".tar")
    assert list(bucket.objects) == ["nightly/one.tar"]
    with opened(f"s3://{NAME}/nightly/one.tar") as file:
        assert file.read() == content


@pytest.mark.slow
def test_a_folder_of_a_bucket_keeps_the_newest(bucket: Bucket) -> None:
    folder = place(f"s3://{NAME}/nightly/")
    for name in ("nightly/slipway-2020-01-01-000000.tar", "nightly/slipway-2020-01-02-000000.tar", "other.tar"):
        place(f"s3://{NAME}/{name}").write(fill_with(SMALL), suffix=".tar")
    address = folder.write(fill_with(SMALL), suffix=".tar.age")
    folder.keep_newest(2)
    kept = ["nightly/slipway-2020-01-02-000000.tar", address.removeprefix(f"s3://{NAME}/"), "other.tar"]
    assert sorted(bucket.objects) == kept
    assert kept[1].endswith(".tar.age")


def test_nothing_half_written_stays_in_a_bucket(bucket: Bucket) -> None:
    with pytest.raises(BackupError, match="PostgreSQL went away"):
        place(f"s3://{NAME}/one.tar").write(breaking_off, suffix=".tar")
    assert bucket.objects == {}
    assert bucket.parts == {}


@pytest.mark.parametrize("address", ["s3://", "s3://another/one.tar"])
def test_a_bucket_that_refuses(bucket: Bucket, address: str) -> None:
    with pytest.raises(BackupError, match="s3://"):
        place(address).write(fill_with(LARGE), suffix=".tar")
    with pytest.raises(BackupError, match="s3://"), opened(address):
        pass


def test_nothing_half_written_stays_on_a_disk(tmp_path: Path) -> None:
    (tmp_path / "one.tar").write_bytes(SMALL)
    with pytest.raises(BackupError, match="PostgreSQL went away"):
        place(str(tmp_path / "one.tar")).write(breaking_off, suffix=".tar")
    assert (tmp_path / "one.tar").read_bytes() == SMALL
    assert [path.name for path in tmp_path.iterdir()] == ["one.tar"]


def test_a_full_disk_ends_an_encrypted_backup() -> None:
    key = str(pyrage.x25519.Identity.generate().to_public())
    with (
        Path("/dev/full").open("wb", buffering=0) as full,
        pytest.raises(BackupError, match="space"),
        encrypting(full, [key]) as plain,
    ):
        plain.write(LARGE)


@pytest.mark.parametrize("target", ["missing", "one.tar", "-"])
def test_keeping_the_newest_needs_a_folder(tmp_path: Path, target: str) -> None:
    """Otherwise each night would replace the only backup."""
    (tmp_path / "one.tar").write_bytes(SMALL)
    with pytest.raises(CommandError, match="--keep needs a folder"):
        call_command("backup", "-" if target == "-" else str(tmp_path / target), "--keep", "14")
    assert [path.name for path in tmp_path.iterdir()] == ["one.tar"]


def test_an_encrypted_backup_asks_for_its_key(tmp_path: Path) -> None:
    target = io.BytesIO()
    key = pyrage.x25519.Identity.generate()
    with encrypting(target, [str(key.to_public())]) as plain:
        plain.write(SMALL)
    as_text = b"-----BEGIN AGE ENCRYPTED FILE-----\n"
    for number, content in enumerate((target.getvalue(), as_text)):
        with pytest.raises(BackupError, match="--identity"):
            unpacked(io.BufferedReader(io.BytesIO(content)), tmp_path / str(number), identities="")


def test_a_device_or_pipe_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BackupError, match="Pass - "):
        place(str(tmp_path / "pipe")).write(fill_with(SMALL), suffix=".tar")
    assert (tmp_path / "pipe").is_fifo()
    assert list(tmp_path.iterdir()) == [tmp_path / "pipe"]


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"# only a comment", b"AGE-SECRET-KEY-1"])
def test_a_file_without_an_identity_opens_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    identity, archive = tmp_path / "identity", tmp_path / "one.tar.age"
    identity.write_bytes(content)
    with archive.open("wb") as file, encrypting(file, [str(pyrage.x25519.Identity.generate().to_public())]) as plain:
        plain.write(SMALL)
    monkeypatch.setattr("config.management.commands.restore.database_running", lambda **_: nullcontext())
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path / "data")
    with pytest.raises(CommandError, match="identity"):
        call_command("restore", archive, identity=identity)
