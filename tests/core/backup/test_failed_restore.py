"""A restore that fails on the way leaves nothing behind, whatever failed."""

import time
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError

from apps.core.backup import contents
from apps.core.backup.archive import BackupError

pytestmark = pytest.mark.unit


class Stopped:
    """A PostgreSQL that stopped, as it does on a full disk."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def restore(self, source: Path) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    def empty(self) -> None:
        self.failures -= 1
        if self.failures >= 0:
            raise OperationalError("the database system is in recovery mode")


@pytest.fixture
def unpacked(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    for name in ("a.webp", "b.webp"):
        path = tmp_path / "unpacked" / "uploads" / "photos" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"a photo")
    return tmp_path / "unpacked"


def files(settings: Any) -> list[Path]:
    return [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


@pytest.mark.parametrize("failures", [0, 3, 100])
def test_a_database_that_stops(unpacked: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, failures: int) -> None:
    stopped = Stopped(failures)
    monkeypatch.setattr(contents, "database", stopped)
    with pytest.raises(BackupError, match="server closed"):
        contents.fill(unpacked, {"tables": {}})
    assert not files(settings)
    assert stopped.failures == max(failures - 10, -1)


def test_a_disk_that_is_full_in_the_middle_of_an_upload(
    unpacked: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "database", Stopped(0))

    def save(name: str, content: Any) -> str:
        path = Path(settings.MEDIA_ROOT) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"a ph")
        if name.endswith("b.webp"):
            raise OSError(28, "No space left on device")
        return name

    monkeypatch.setattr(default_storage, "save", save, raising=False)
    with pytest.raises(OSError, match="No space left"):
        contents.fill(unpacked, {"tables": {}})
    assert not files(settings)
