"""The file of a backup: what is read back is what was written, and nothing damaged is taken."""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pyrage
import pytest

from config.backup.archive import (
    MANIFEST,
    BackupError,
    decrypted,
    encrypting,
    identity_in,
    passphrase_of,
    unpack,
    writing,
)

PHOTO = bytes(range(256)) * 8_000


def archive_of(**members: bytes) -> bytes:
    target = io.BytesIO()
    with writing(target) as archive:
        for name, body in members.items():
            archive.add(name, io.BytesIO(body), size=len(body))
        archive.finish(made_at="now")
    return target.getvalue()


def tampered(whole: bytes, **replaced: bytes) -> bytes:
    """The same archive with other bodies under the same names."""
    target = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(whole)) as old, tarfile.open(fileobj=target, mode="w") as new:
        for member in old:
            content: Any = old.extractfile(member)
            body = replaced.get(member.name, content.read())
            member.size = len(body)
            new.addfile(member, io.BytesIO(body))
    return target.getvalue()


def test_members_come_back(tmp_path: Path) -> None:
    manifest = unpack(io.BytesIO(archive_of(photo=PHOTO, empty=b"")), tmp_path)
    assert (tmp_path / "photo").read_bytes() == PHOTO
    assert (tmp_path / "empty").read_bytes() == b""
    assert manifest["members"]["photo"]["size"] == len(PHOTO)
    assert manifest["made_at"] == "now"


@pytest.mark.parametrize("share", [0, 0.3, 0.9, 0.99])
def test_one_that_is_cut_off_is_refused(share: float, tmp_path: Path) -> None:
    whole = archive_of(photo=PHOTO)
    with pytest.raises(BackupError):
        unpack(io.BytesIO(whole[: int(len(whole) * share)]), tmp_path)


def test_a_changed_member_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="checksums"):
        unpack(io.BytesIO(tampered(archive_of(photo=PHOTO), photo=PHOTO[::-1])), tmp_path)


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    whole = archive_of(photo=PHOTO)
    manifest = json.dumps({"format": 2, "members": {}}).encode()
    with pytest.raises(BackupError, match="newer"):
        unpack(io.BytesIO(tampered(whole, **{MANIFEST: manifest})), tmp_path)


@pytest.mark.parametrize("name", ["../outside", "/etc/outside", "a/../../outside"])
def test_no_member_leaves_the_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    with pytest.raises(BackupError):
        unpack(io.BytesIO(archive_of(**{name: b"x"})), folder)
    assert list(tmp_path.rglob("outside")) == []


def test_only_the_key_opens_an_encrypted_one(tmp_path: Path) -> None:
    ours, other = pyrage.x25519.Identity.generate(), pyrage.x25519.Identity.generate()
    target = io.BytesIO()
    with encrypting(target, [str(ours.to_public())]) as plain:
        plain.write(PHOTO)
    assert PHOTO[:256] not in target.getvalue()
    back = io.BytesIO()
    decrypted(io.BytesIO(target.getvalue()), back, identities=f"# created: today\n{ours}\n")
    assert back.getvalue() == PHOTO
    with pytest.raises(BackupError, match="No key"):
        decrypted(io.BytesIO(target.getvalue()), io.BytesIO(), identities=str(other))
    with pytest.raises(BackupError):
        decrypted(io.BytesIO(target.getvalue()[:-100]), io.BytesIO(), identities=str(ours))


def test_a_full_disk_is_no_damage() -> None:
    key = pyrage.x25519.Identity.generate()
    target = io.BytesIO()
    with encrypting(target, [str(key.to_public())]) as plain:
        plain.write(PHOTO)
    with Path("/dev/full").open("wb", buffering=0) as full, pytest.raises(OSError, match="No space left"):
        decrypted(io.BytesIO(target.getvalue()), full, identities=str(key))


def test_a_wrong_public_key_is_refused() -> None:
    with pytest.raises(BackupError, match="age1"), encrypting(io.BytesIO(), ["nothing"]):
        pass


def test_only_the_passphrase_opens_one_that_has_it(tmp_path: Path) -> None:
    target = io.BytesIO()
    with encrypting(target, [], passphrase="violet harbor") as plain:
        plain.write(PHOTO)
    source = io.BytesIO(target.getvalue())
    back = io.BytesIO()
    decrypted(source, back, identities=identity_in(source, "violet harbor"))
    assert back.getvalue() == PHOTO
    for wrong in ("violet harbour", " violet harbor", ""):
        with pytest.raises(BackupError, match="passphrase doesn't open"):
            identity_in(io.BytesIO(target.getvalue()), wrong)


@pytest.mark.parametrize("length", [0, 40, 200])
def test_a_key_that_is_cut_off_opens_nothing(length: int) -> None:
    target = io.BytesIO()
    with encrypting(target, [], passphrase="violet harbor"):
        pass
    with pytest.raises(BackupError):
        identity_in(io.BytesIO(target.getvalue()[:length]), "violet harbor")


def test_a_passphrase_is_no_key() -> None:
    target = io.BytesIO()
    with encrypting(target, [str(pyrage.x25519.Identity.generate().to_public())]):
        pass
    with pytest.raises(BackupError, match="--identity"):
        identity_in(io.BytesIO(target.getvalue()), "violet harbor")


def test_the_passphrase_is_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "passphrase"
    path.write_text("violet harbor\nnothing else\n")
    assert passphrase_of(path) == "violet harbor"
    path.write_text("\n")
    with pytest.raises(BackupError, match="empty"):
        passphrase_of(path)
