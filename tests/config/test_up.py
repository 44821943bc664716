"""`manage.py up` with real engines, Granian and Celery, on a project of a few lines in place of this one."""

import contextlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from celery import Celery
from django.core.management import CommandError, call_command
from redis import Redis, RedisError

from config.local import addresses
from config.local.places import socket_dir
from config.supervisor import processes, up
from config.supervisor.processes import StartError
from tests.config.support import PROJECT, clean_environment, mentioning
from tests.faults.processes import WORDS, Process, children, kill, paused, started
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.processes

_MANAGE = """
import json, os, sys
from pathlib import Path
if sys.argv[1] == "migrate":
    sys.exit(int(os.environ.get("FAIL_MIGRATE", "0")))
if sys.argv[1] == "collect_changed":
    sys.exit()
if sys.argv[1] == "setup_link":
    print(f"{os.environ['PUBLIC_BASE_URL']}/setup/link/secret")
    sys.exit()
kept = Path(sys.argv[sys.argv.index("--credentials-file") + 1])
new = {"email": "demo@example.com", "password": "p", "api_key": os.urandom(4).hex()}
new |= {"admin_email": "admin@example.com", "admin_password": "a-" + os.urandom(4).hex()}
print("some words")
print(kept.read_text() if kept.exists() else json.dumps(new))
"""
_CELERY = """
import os, time
from pathlib import Path
from celery import Celery
app = Celery("small", broker=os.environ["REDIS_URL"].replace("unix://", "redis+socket://"))
app.conf.broker_connection_retry_on_startup = True
app.conf.beat_schedule = {"tick": {"task": "tick", "schedule": 0.2}}
app.conf.beat_scheduler = "config.supervisor.heartbeat:HeartbeatScheduler"
app.steps["consumer"].add("config.supervisor.heartbeat:WorkerHeartbeat")
@app.task(name="tick")
def tick():
    with app.connection_for_write() as connection:
        connection.default_channel.client.incr("ticks")
@app.task(name="nap")
def nap():
    with app.connection_for_write() as connection:
        connection.default_channel.client.incr("naps")
    while not Path(os.environ["SLIPWAY_DATA_DIR"], "morning").exists():
        time.sleep(0.05)
"""
_RSGI = """
import os
from pathlib import Path
async def application(scope, proto):
    Path(os.environ["HEARTBEAT_FILE"]).touch()
    proto.response_bytes(200, [("Content-Type", "text/plain")], b"ok")
"""
_DRIVE = """
import json, os, sys
from pathlib import Path
from config.supervisor import up
from config.supervisor.processes import StartError
up.PROJECT = Path(sys.argv[1])
up._PROBE_SECONDS = 0.1
if "CLOCK" in os.environ:
    exec(Path(os.environ["CLOCK"], "clock.py").read_text())
options = up.Options(
    host="127.0.0.1", port=int(sys.argv[3]), data_dir=Path(sys.argv[2]), demo=sys.argv[4] == "demo",
    web_processes=1, worker_processes=3, crawl_threads=20, database_connections=150,
    api_path="/api/v1", mcp_path="/mcp", emails=sys.argv[2] + '/emails', verbose="VERBOSE" in os.environ,
)
try:
    up.run(options, say=lambda text: print(text, flush=True))
except StartError as error:
    sys.exit(str(error))
"""
# The supervisor's clock goes on as the test says: the file `passed` has the seconds, and `seen` what was read last.
_CLOCK = """
import time
from types import SimpleNamespace
from config.supervisor import processes
folder, seen = Path(os.environ["CLOCK"]), ""
def monotonic():
    global seen
    passed = (folder / "passed").read_text()
    if passed != seen:
        seen = passed
        (folder / "seen").write_text(seen)
    return time.monotonic() + float(passed)
processes.time = SimpleNamespace(monotonic=monotonic, sleep=time.sleep)
processes._HELD_UP_SECONDS = float("inf")
"""
_HEARTBEAT = (PROJECT / "config" / "supervisor" / "heartbeat.py").read_text() + "\nSECONDS = ANSWER_SECONDS = 0.2\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    files = {
        "config/__init__.py": _CELERY,
        "config/rsgi.py": _RSGI,
        "config/supervisor/__init__.py": "",
        "config/supervisor/heartbeat.py": _HEARTBEAT,
        "config/supervisor/preload.py": "import config.rsgi",
    }
    for name, text in {"config/__main__.py": _MANAGE, **files}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def _command(project: Path, data_dir: Path, *, port: int = 0, demo: bool = True) -> list[str]:
    return [sys.executable, "-c", _DRIVE, str(project), str(data_dir), str(port), "demo" if demo else "none"]


@contextlib.contextmanager
def _running(project: Path, data_dir: Path, *, demo: bool = True, **env: str) -> Iterator[Process]:
    command = _command(project, data_dir, demo=demo)
    # The launcher imports config/celery.py, which would name this project's settings to the small one.
    env = {**clean_environment(), "DJANGO_SETTINGS_MODULE": "", **env}
    with started(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        note = data_dir / "up.json"
        wait_for(lambda: note.exists() or process.poll() is not None)
        yield process


def _left(data_dir: Path) -> list[int]:
    """The engines, by their command lines, and what runs in their environment."""
    named = mentioning(str(data_dir)) + mentioning(str(socket_dir(data_dir)))
    return named + list(processes._marked(f"SLIPWAY_DATA_DIR={data_dir}"))


def _refusal(project: Path, data_dir: Path, port: int, **env: str) -> str:
    result = subprocess.run(
        _command(project, data_dir, port=port),
        cwd=PROJECT,
        env={**clean_environment(), "DJANGO_SETTINGS_MODULE": "", **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    return result.stderr


def test_from_start_to_a_clean_stop(project: Path, data_dir: Path) -> None:
    with _running(project, data_dir) as process:
        note = json.loads((data_dir / "up.json").read_text())
        assert stat.S_IMODE((data_dir / "up.json").stat().st_mode) == 0o600
        assert note["api_url"] == note["base_url"] + "/api/v1"
        assert note["mcp_url"] == note["base_url"] + "/mcp"
        assert set(note["demo"]) == {"email", "password", "api_key"}
        assert note["admin"]["url"] == note["base_url"] + "/admin/"
        assert set(note["admin"]) == {"url", "email", "password"}
        assert note["setup_url"] is None
        assert stat.S_IMODE((data_dir / "demo.json").stat().st_mode) == 0o600
        port = int(note["base_url"].rpartition(":")[2])
        assert up._answers("127.0.0.1", port)

        for word, count in {"worker@": 3, "crawler@": 20}.items():
            command = Path(f"/proc/{_child(process.pid, word)}/cmdline").read_text().split("\0")
            assert command[command.index("--concurrency") + 1] == str(count)
        with psycopg.connect(addresses(data_dir).database_url) as connection:
            assert connection.execute("SHOW max_connections").fetchone() == ("160",)

        assert f"in use by process {process.pid}" in _refusal(project, data_dir, 0)
        assert f"Port {port} on 127.0.0.1 is in use" in _refusal(project, data_dir / "other", port)
        assert process.poll() is None

        log = data_dir / "logs/worker.log"
        wait_for(lambda: log.exists() and "worker@" in log.read_text())
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=PATIENCE_SECONDS)[0]
        assert process.returncode == 0, output
    assert output.count(note["demo"]["api_key"]) == 1
    assert output.count(note["admin"]["password"]) == 1
    assert f"  Emails   in {data_dir / 'emails'}, including sign-up codes" in output
    steps = [line for line in output.splitlines() if line.endswith(".") and not line.startswith(" ")]
    for step, word in zip(steps[:5], ("Valkey", "static files", "web server", "demo data", "is running"), strict=True):
        assert word in step
    assert "Stop it with Ctrl-C.\n\nStopping." in output, "the banner stays the last thing that is said"
    assert "some words" not in output
    assert stat.S_IMODE((data_dir / "logs").stat().st_mode) == 0o700
    assert not (data_dir / "up.json").exists()
    assert not _left(data_dir)

    with _running(project, data_dir, VERBOSE="1") as process:
        again = json.loads((data_dir / "up.json").read_text())
        assert again["demo"] == note["demo"]
        assert again["admin"]["password"] == note["admin"]["password"]
        process.send_signal(signal.SIGTERM)
        output = process.communicate(timeout=PATIENCE_SECONDS)[0]
        assert process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_whatever_dies_comes_back_and_nothing_stays_when_all_is_killed(project: Path, data_dir: Path) -> None:
    with _running(project, data_dir, demo=False) as process:
        note = json.loads((data_dir / "up.json").read_text())
        assert note["pid"] == process.pid
        assert note["demo"] is None
        assert note["admin"] is None
        assert note["setup_url"] == f"{note['base_url']}/setup/link/secret"
        port = int(note["base_url"].rpartition(":")[2])
        # Worker and beat are at work.
        _wait_for_ticks(data_dir)

        forked, keeper = children(process.pid), _child(process.pid, "note_keeper.py")
        names = ("project", "postgres", "valkey", "web", "worker", "crawler", "beat", "up.json")
        assert len(forked) == len(names)
        kill(*forked)

        wait_for(lambda: up._answers("127.0.0.1", port))
        _wait_for_ticks(data_dir)
        wait_for(lambda: _child(process.pid, "note_keeper.py") not in {0, keeper})
        assert (data_dir / "up.json").exists()
        process.kill()
    wait_for(lambda: not (data_dir / "up.json").exists())
    wait_for(lambda: not _left(data_dir))


class Clock:
    """The clock of a supervisor, which goes on by more than what is allowed to one that hangs."""

    def __init__(self, folder: Path, heartbeats: Path) -> None:
        self._folder, self._heartbeats = folder, heartbeats
        self._passed = 0
        (folder / "clock.py").write_text(_CLOCK)
        self._write()

    def advance(self, *beating: str) -> None:
        """Have 100 seconds pass, in steps of 20 in which each of these programs beats."""
        for _ in range(5):
            self._passed += 20
            self._write()
            wait_for(self._is_seen)
            wait_for(partial(self._have_beaten, {name: self._beat(name) for name in beating}))

    def _beat(self, name: str) -> int:
        return (self._heartbeats / name).stat().st_mtime_ns

    def _have_beaten(self, before: dict[str, int]) -> bool:
        return all(self._beat(name) != beat for name, beat in before.items())

    def _is_seen(self) -> bool:
        return (self._folder / "seen").read_text() == str(self._passed)

    def _write(self) -> None:
        (self._folder / "new").write_text(str(self._passed))
        (self._folder / "new").replace(self._folder / "passed")


@pytest.fixture
def clock(tmp_path: Path, data_dir: Path) -> Clock:
    return Clock(tmp_path, data_dir / "heartbeats")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_whatever_hangs_is_started_again(project: Path, data_dir: Path, clock: Clock, tmp_path: Path) -> None:
    def running() -> dict[str, int]:
        return {name: _child(process.pid, word) for name, word in WORDS.items()}

    with _running(project, data_dir, demo=False, CLOCK=str(tmp_path)) as process:
        wait_for(lambda: _beating(data_dir) == set(WORDS))
        hung = running()
        clock.advance(*WORDS)
        assert running() == hung
        # Of the web server the process that answers; its parent sees nothing amiss.
        with paused([*children(hung["web"]), hung["worker"], hung["crawler"], hung["beat"]]):
            clock.advance()
            wait_for(lambda: all(pid not in {0, hung[name]} for name, pid in running().items()))
        _wait_for_ticks(data_dir)

        # What works is left alone, with all its processes at long tasks too.
        back = running()
        client = Redis.from_url(addresses(data_dir).redis_url)
        broker = addresses(data_dir).redis_url.replace("unix://", "redis+socket://")
        with Celery(broker=broker, set_as_current=False) as sender:
            for _ in range(3):
                sender.send_task("nap")
        wait_for(lambda: client.get("naps") == b"3")
        client.close()
        clock.advance(*WORDS)
        assert running() == back
        (data_dir / "morning").touch()
        process.send_signal(signal.SIGTERM)
        output = process.communicate(timeout=PATIENCE_SECONDS)[0]
    assert {name for name in WORDS if f"{name} has hung" in output} == set(WORDS)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_workers_that_wait_for_a_frozen_broker_are_left_alone(
    project: Path, data_dir: Path, clock: Clock, tmp_path: Path
) -> None:
    with _running(project, data_dir, demo=False, CLOCK=str(tmp_path)) as process:
        wait_for(lambda: {"worker", "crawler"} <= _beating(data_dir))
        _wait_for_ticks(data_dir)
        waiting = {word: _child(process.pid, word) for word in ("worker@", "crawler@")}
        with paused([_child(process.pid, "valkey-server")]):
            clock.advance("worker", "crawler")
            assert {word: _child(process.pid, word) for word in waiting} == waiting
        _wait_for_ticks(data_dir)
        process.kill()
    wait_for(lambda: not _left(data_dir))


def test_a_process_that_hangs_is_seen_while_others_of_the_web_server_answer(tmp_path: Path) -> None:
    processes = up._Processes(tmp_path / "web")
    assert processes.have_beaten(), "none has come so far"
    with started(["sleep", "3600"]) as other:
        files = [tmp_path / f"web.{pid}" for pid in (os.getpid(), other.pid)]
        touched = iter(range(1, 100))

        def touch(*paths: Path) -> None:
            for path in paths:
                path.touch()
                os.utime(path, ns=(0, next(touched)))

        touch(*files)
        assert processes.have_beaten()
        touch(*files)
        assert processes.have_beaten()
        touch(files[0])
        assert not processes.have_beaten()
        touch(files[0])
        assert not processes.have_beaten()
    touch(files[0])
    assert processes.have_beaten(), "one that has ended is no longer waited for"
    assert not files[1].exists()


def _beating(data_dir: Path) -> set[str]:
    return {path.name for path in (data_dir / "heartbeats").iterdir()}


def _child(pid: int, word: str) -> int:
    """The number of the child whose command line has this word, once it is past the launcher, or 0."""
    return next((child for child in children(pid, word) if child not in children(pid, "launch.py")), 0)


def _wait_for_ticks(data_dir: Path) -> None:
    """Wait until beat has sent another task and a worker has run it."""
    with Redis.from_url(addresses(data_dir).redis_url) as client:
        before = wait_for(lambda: _ticks(client))
        wait_for(lambda: (_ticks(client) or before) != before)


def _ticks(client: Redis) -> Any:
    with contextlib.suppress(RedisError):
        return client.get("ticks")
    return None


def test_failed_migrations_end_it(project: Path, data_dir: Path) -> None:
    assert "migrate failed (exit status 5)" in _refusal(project, data_dir, 0, FAIL_MIGRATE="5")
    assert not _left(data_dir)


def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(StartError, match=f"Port {port} on 127.0.0.1 is in use.*--port 0"):
            up.free_port("127.0.0.1", port)
    assert up.free_port("127.0.0.1", port) == port
    assert up.free_port("127.0.0.1", 0) > 0


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70000), ("192.0.2.1", 0)])
def test_an_impossible_address_is_refused(host: str, port: int) -> None:
    with pytest.raises(StartError):
        up.free_port(host, port)


@pytest.mark.parametrize("name", ["WEB_PROCESSES", "WORKER_PROCESSES", "CRAWL_THREADS"])
def test_the_command_says_what_is_wrong(settings: Any, name: str) -> None:
    setattr(settings, name, 0)
    with pytest.raises(CommandError, match=f"{name} "):
        call_command("up")


@pytest.mark.parametrize(("words", "web"), [((), 3), (("--workers", "5"), 5)])
def test_the_command_runs_as_many_as_the_settings_say(
    settings: Any, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], web: int
) -> None:
    settings.WEB_PROCESSES, settings.WORKER_PROCESSES, settings.CRAWL_THREADS = 3, 4, 40
    settings.DATABASE_CONNECTIONS = {"web": 1, "workers": 4, "crawls": 80, "commands": 5}
    asked: list[up.Options] = []
    monkeypatch.setattr(up, "run", lambda options, say: asked.append(options))
    call_command("up", *words)
    [options] = asked
    assert (options.web_processes, options.worker_processes, options.crawl_threads) == (web, 4, 40)
    assert options.database_connections == sum(settings.WEB_THREADS.values()) * web + 4 + 80 + 5
