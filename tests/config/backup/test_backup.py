"""A backup of a running installation, restored into an empty one: pages and answers are the same."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event, Thread
from typing import IO

import httpx2
import pytest

from config.local.places import socket_dir
from tests.accounts.founders.bucket import NAME, bucket_server
from tests.leftovers import bare_environment
from tests.running import PROJECT, UNKEPT, Running, running
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.processes

PATHS = ("/api/v1/listings?per_page=50", "/api/v1/products", "/sitemap.xml", "/categories")


def manage(
    data_dir: Path,
    *words: str,
    output: int | IO[bytes] = subprocess.PIPE,
    settings: Mapping[str, str] | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run a command beside `up`, or where none runs."""
    environment = {**bare_environment(), "SLIPWAY_LOCAL": "1", "SLIPWAY_DATA_DIR": str(data_dir), **(settings or {})}
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(
        command, cwd=PROJECT, env=environment, stdout=output, stderr=subprocess.PIPE, text=True, check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("backup")
    made.chmod(0o711)
    return made


@pytest.fixture(scope="module")
def original(folder: Path) -> Iterator[Running]:
    with running(folder / "data", private_hosts=[]) as up:
        photo = folder / "data" / "media" / "photos" / "somebody.webp"
        photo.parent.mkdir(parents=True, exist_ok=True)
        photo.write_bytes(b"a photo" * 1_000)
        yield up


@pytest.fixture(scope="module")
def backup(original: Running, folder: Path) -> Path:
    done = manage(folder / "data", "backup", str(folder / "backup.tar"))
    assert done.returncode == 0, done.stderr
    return folder / "backup.tar"


@pytest.fixture
def empty(folder: Path) -> Iterator[Path]:
    data_dir = folder / "empty"
    yield data_dir
    shutil.rmtree(socket_dir(data_dir), ignore_errors=True)
    shutil.rmtree(data_dir, ignore_errors=True)


def answers(base_url: str) -> dict[str, str]:
    """What the installation answers, without its own address and without the hours that go by meanwhile."""
    texts = {
        path: httpx2.get(base_url + path, cookies=UNKEPT, timeout=PATIENCE_SECONDS).raise_for_status().text
        for path in PATHS
    }
    return {path: re.sub(r'"hours_left":\d+', "", text).replace(base_url, "") for path, text in texts.items()}


def test_the_restored_installation_answers_the_same(original: Running, backup: Path, empty: Path) -> None:
    before = answers(original.base_url)
    done = manage(empty, "restore", str(backup))
    assert done.returncode == 0, done.stderr
    key = {"Authorization": f"Bearer {original.api_key}"}
    # The demo's pictures are served by the site, so that `up` gives them its new port.
    with running(empty, private_hosts=[]) as restored:
        assert answers(restored.base_url) == before
        own = httpx2.get(f"{restored.base_url}/api/v1/me/listings", headers=key, timeout=PATIENCE_SECONDS)
        assert own.raise_for_status().json()["items"]
    assert (empty / "media" / "photos" / "somebody.webp").read_bytes() == b"a photo" * 1_000
    assert (empty / "secret_key").read_text() == (backup.parent / "data" / "secret_key").read_text()


def test_a_backup_of_a_busy_site_has_what_was_acknowledged_before(original: Running, folder: Path, empty: Path) -> None:
    key = {"Authorization": f"Bearer {original.api_key}"}
    own = httpx2.get(f"{original.base_url}/api/v1/me/listings", headers=key, timeout=PATIENCE_SECONDS)
    listing = own.json()["items"][0]
    acknowledged, is_over = [0], Event()

    def keep_editing() -> None:
        while not is_over.wait(0.5):
            number = acknowledged[-1] + 1
            body = {"fields": {"headline": f"Edition {number} of a busy day"}}
            changed = httpx2.patch(
                f"{original.base_url}/api/v1/me/listings/{listing['id']}",
                headers=key,
                json=body,
                timeout=PATIENCE_SECONDS,
            )
            if changed.status_code == 200:
                acknowledged.append(number)

    editor = Thread(target=keep_editing)
    editor.start()
    try:
        wait_for(lambda: acknowledged[-1] >= 3)
        before = acknowledged[-1]
        done = manage(folder / "data", "backup", str(folder / "busy.tar"))
        after = acknowledged[-1] + 1
    finally:
        is_over.set()
        editor.join()
    assert done.returncode == 0, done.stderr
    assert after > before + 1
    restored = manage(empty, "restore", str(folder / "busy.tar"))
    assert restored.returncode == 0, restored.stderr
    with running(empty, private_hosts=[]) as up:
        own = (
            httpx2.get(f"{up.base_url}/api/v1/me/listings/{listing['id']}", headers=key, timeout=PATIENCE_SECONDS)
            .raise_for_status()
            .json()
        )
    assert before <= int(own["headline"].split()[1]) <= after


def test_a_damaged_backup_changes_nothing(backup: Path, empty: Path) -> None:
    damaged = backup.with_name("damaged.tar")
    whole = bytearray(backup.read_bytes())
    whole[len(whole) // 2] ^= 1
    damaged.write_bytes(whole)
    done = manage(empty, "restore", str(damaged))
    assert done.returncode == 1
    assert "damaged" in done.stderr
    assert not list((empty / "media").rglob("*.webp"))
    assert not (empty / "postgres").exists()
    assert not (empty / "postgres.path").exists()
    # Nothing is in the way of a good one.
    assert manage(empty, "restore", str(backup)).returncode == 0


def test_a_passphrase_opens_what_it_closed(original: Running, folder: Path, empty: Path) -> None:
    right, wrong = folder / "right", folder / "wrong"
    right.write_text("violet harbor\n")
    wrong.write_text("violet harbour\n")
    archive = str(folder / "closed.tar.age")
    done = manage(folder / "data", "backup", archive, "--passphrase-file", str(right))
    assert done.returncode == 0, done.stderr
    for words, reason in (([], "is encrypted"), (["--passphrase-file", str(wrong)], "The passphrase doesn't open")):
        done = manage(empty, "restore", archive, *words)
        assert done.returncode == 1
        assert reason in done.stderr
        assert not list(empty.glob("media/*"))
    assert manage(empty, "restore", archive, "--passphrase-file", str(right)).returncode == 0


def test_a_bucket_gives_back_what_it_took(original: Running, folder: Path, empty: Path) -> None:
    key = {"S3_ACCESS_KEY_ID": "AKTEST", "S3_SECRET_ACCESS_KEY": "secret"}
    with bucket_server() as bucket:
        settings = {"S3_ENDPOINT_URL": bucket.url, **key}
        done = manage(folder / "data", "backup", f"s3://{NAME}/nightly/", "--keep", "14", settings=settings)
        assert done.returncode == 0, done.stderr
        [stored] = bucket.objects
        assert done.stdout.strip() == f"s3://{NAME}/{stored}"
        assert manage(empty, "restore", f"s3://{NAME}/another.tar", settings=settings).returncode == 1
        done = manage(empty, "restore", f"s3://{NAME}/{stored}", settings=settings)
    assert done.returncode == 0, done.stderr
    assert (empty / "media" / "photos" / "somebody.webp").read_bytes() == b"a photo" * 1_000


def test_what_has_data_is_refused(original: Running, backup: Path, folder: Path) -> None:
    done = manage(folder / "data", "restore", str(backup))
    assert done.returncode == 1
    assert "has data" in done.stderr


def test_a_folder_keeps_the_newest(original: Running, folder: Path) -> None:
    kept = folder / "kept"
    kept.mkdir()
    for name in ("slipway-2020-01-01-000000.tar", "slipway-2020-01-02-000000.tar"):
        (kept / name).write_bytes(b"old")
    done = manage(folder / "data", "backup", str(kept), "--keep", "2")
    assert done.returncode == 0, done.stderr
    names = sorted(path.name for path in kept.iterdir())
    assert names[0] == "slipway-2020-01-02-000000.tar"
    assert len(names) == 2
    assert (kept / names[1]).stat().st_mode & 0o077 == 0


def test_a_full_disk_is_told(original: Running, folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = manage(folder / "data", "backup", "-", output=full)
    assert done.returncode == 1
    assert done.stderr.endswith("Backup failed: The disk is full. Free some space, or use a larger disk.\n")


def test_where_nothing_is_installed_nothing_is_backed_up(folder: Path, empty: Path) -> None:
    done = manage(empty, "backup", str(folder / "nothing.tar"))
    assert done.returncode == 1
    assert str(empty) in done.stderr
    assert "SLIPWAY_DATA_DIR" in done.stderr
    assert not (empty / "postgres").exists()
    assert not (folder / "nothing.tar").exists()
