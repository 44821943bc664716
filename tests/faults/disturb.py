"""What breaks under an installation: processes, engines, connections, the disk and the clock.

Each fault ends automatically; what it killed is started again by `manage.py up`, or by `Engine.revive`.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import psycopg

from config.local import Engines
from config.local.places import EngineAddresses, socket_dir
from config.supervisor.processes import Child
from tests.email_server import EmailServer
from tests.faults.load import serve_websites
from tests.faults.processes import WORDS, children, kill, kill_some, paused
from tests.faults.proxy import Proxy
from tests.faults.shop import Shop, shop_of, taking_money
from tests.pages_server import PagesServer
from tests.running import running
from tests.waiting import PATIENCE_SECONDS

# On a busy machine, behind proxies.
START_SECONDS = 600.0
LONGEST_SECONDS = 6.0
MOST_SECONDS_OFF = 90
# Enough for the engines' files and their logs; the rest of it is filled to make the disk full.
DISK_MB = 1500
_CLOCK = Path(__file__).with_name("clock.c")
_LAST_DATABASE = ".s.PGSQL.5432"


@dataclass
class Engine:
    """PostgreSQL or Valkey behind a proxy."""

    name: str
    child: Child
    proxy: Proxy

    def processes(self) -> list[int]:
        return [self.child.pid, *children(self.child.pid)]

    def revive(self) -> None:
        """Start it again if it is dead."""
        if self.child.poll() is not None:
            self.child.kill_group()
            self.child.start()


@dataclass
class Scene:
    """An installation behind proxies, and everything that can be broken there."""

    shop: Shop
    database: Engine
    valkey: Engine
    emails: EmailServer
    addresses: Sequence[str]
    settings: Mapping[str, str]
    disk: Path | None
    clock: Path | None
    chance: random.Random = field(default_factory=random.Random)

    def is_well(self) -> bool:
        """Whether every process is there and both engines answer; dead engines are started."""
        self.database.revive()
        self.valkey.revive()
        try:
            for word in WORDS.values():
                self.shop.running.child(word)
            parts = httpx2.get(f"{self.shop.base_url}/readyz", timeout=10).json()["parts"]
        except (LookupError, httpx2.TransportError):
            return False
        return bool(parts["database"] == parts["broker"] == "ok")

    def kinds(self) -> dict[str, Callable[[], str]]:
        """The kinds of faults that this machine allows."""
        kinds = {
            "kill": self.kill,
            "pause": self.pause,
            "engine": self.kill_engine,
            "backend": self.kill_backend,
            "freeze": self.freeze,
            "cut": self.cut,
            "delay": self.delay,
            "connections": self.exhaust_connections,
        }
        if self.disk:
            kinds["disk"] = self.fill_disk
        if self.clock:
            kinds["clock"] = self.move_clock
        return kinds

    def kill(self) -> str:
        """Kill a program, or one of the processes that it forked."""
        program, pid = self._program()
        return f"killed {'a process of ' if kill_some(pid, self.chance) else ''}{program}"

    def pause(self) -> str:
        """Stop a program with everything that it forked for a while."""
        program, pid = self._program()
        with paused([pid, *children(pid)]):
            self._while()
        return f"paused {program}"

    def kill_engine(self) -> str:
        """Kill an engine with all of its processes, and leave it dead for a moment."""
        engine = self._engine()
        engine.child.kill_group()
        engine.child.wait(PATIENCE_SECONDS)
        time.sleep(self.chance.uniform(0, 3))
        return f"killed {engine.name}"

    def kill_backend(self) -> str:
        """Kill a process that PostgreSQL forked: it ends all others and recovers."""
        pid = self.chance.choice(children(self.database.child.pid) or [0])
        if pid:
            kill(pid)
        return "killed a process of PostgreSQL"

    def freeze(self) -> str:
        engine = self._engine()
        with paused(engine.processes()):
            self._while()
        return f"froze {engine.name}"

    def cut(self) -> str:
        engine = self._engine()
        engine.proxy.cut()
        return f"cut the connections to {engine.name}"

    def delay(self) -> str:
        engine = self._engine()
        engine.proxy.delay_seconds = self.chance.uniform(0.02, 0.2)
        try:
            self._while()
        finally:
            engine.proxy.delay_seconds = 0.0
        return f"delayed the connections to {engine.name}"

    def exhaust_connections(self) -> str:
        """Take every connection that PostgreSQL has left, after ending those of the site."""
        with ExitStack() as held:
            with suppress(psycopg.Error):
                self.shop.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            until = time.monotonic() + LONGEST_SECONDS
            while time.monotonic() < until:
                try:
                    held.enter_context(psycopg.connect(self.shop.database_url, connect_timeout=2))
                except psycopg.Error:
                    time.sleep(0.1)
        return "took all connections of PostgreSQL"

    def fill_disk(self) -> str:
        """Leave no byte on the disk of both engines for a while."""
        assert self.disk
        filler = self.disk / "filler"
        try:
            with filler.open("wb") as file, suppress(OSError):
                while True:
                    file.write(b"\0" * 2**20)
                    file.flush()
        except OSError:
            # Closing writes once more.
            pass
        try:
            self._while()
        finally:
            filler.unlink()
        return "filled the disk"

    def move_clock(self) -> str:
        """Let the clock of the site's processes be ahead or behind for a while; the engines keep the right one."""
        assert self.clock
        off = self.chance.choice((-1, 1)) * self.chance.randint(5, MOST_SECONDS_OFF)
        _move(self.clock, off)
        try:
            self._while()
        finally:
            _move(self.clock, 0)
        return "moved the clock"

    def _program(self) -> tuple[str, int]:
        name = self.chance.choice(list(WORDS))
        return name, self.shop.running.child(WORDS[name])

    def _engine(self) -> Engine:
        return self.chance.choice((self.database, self.valkey))

    def _while(self) -> None:
        time.sleep(self.chance.uniform(1, LONGEST_SECONDS))


@contextmanager
def open_scene(*, seed: int, sites: int, private_hosts: Sequence[str] = ()) -> Iterator[Scene]:
    """Start the engines on a small disk, the proxies and an installation behind them, and stop it all.

    `private_hosts` may be reached although they are on this machine.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="slipway-chaos-")))
        folder.chmod(0o711)
        disk = stack.enter_context(_small_disk(folder / "disk"))
        engines = stack.enter_context(Engines(folder / "disk", connections=100))
        valkey, postgres = engines.processes()
        own = socket_dir(folder / "disk")
        passing = folder / "passing"
        passing.mkdir()
        to_database = stack.enter_context(Proxy(passing / _LAST_DATABASE, own / _LAST_DATABASE))
        to_valkey = stack.enter_context(Proxy(passing / "valkey.sock", own / "valkey.sock"))
        provider, settings = stack.enter_context(taking_money())
        emails, websites = stack.enter_context(EmailServer()), stack.enter_context(PagesServer())
        hosts = serve_websites(websites, sites)
        clock, faked = _clock(folder)
        settings |= {
            "DATABASE_URL": f"postgresql://slipway@/slipway?host={passing}&port=5432",
            "REDIS_URL": f"unix://{passing}/valkey.sock",
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "EMAIL_URL": emails.url,
            **faked,
        }
        started = stack.enter_context(
            running(
                folder / "data",
                private_hosts=[*private_hosts, *(websites.host(host) for host in hosts)],
                command=(sys.executable, "manage.py", "up", "--workers", "2"),
                settings=settings,
                start_seconds=START_SECONDS,
            )
        )
        where: EngineAddresses = engines.addresses
        shop = stack.enter_context(shop_of(started, provider, data_dir=folder / "data", where=where))
        scene = Scene(
            shop=shop,
            database=Engine("PostgreSQL", postgres, to_database),
            valkey=Engine("Valkey", valkey, to_valkey),
            emails=emails,
            addresses=[websites.url(host, "/") for host in hosts],
            settings=settings,
            disk=disk,
            clock=clock,
            chance=random.Random(seed),  # noqa: S311 - a repeatable choice, no secret
        )
        # Engines that a fault killed are there again, or the installation would not stop cleanly.
        stack.callback(scene.is_well)
        yield scene


@contextmanager
def _small_disk(folder: Path) -> Iterator[Path | None]:
    """A file system of its own, which root can make; otherwise the folder, and no disk is filled."""
    folder.mkdir(mode=0o711)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=711", "tmpfs", str(folder)]
    if os.geteuid() != 0 or _run(mount) != 0:
        yield None
        return
    try:
        yield folder
    finally:
        _run(["umount", "--lazy", str(folder)])


def _clock(folder: Path) -> tuple[Path | None, dict[str, str]]:
    """A file that moves the wall clock of the processes with these variables; none without a C compiler."""
    library, path = folder / "clock.so", folder / "clock"
    compiler = shutil.which("cc")
    if not compiler or _run([compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(_CLOCK)]) != 0:
        return None, {}
    path.write_bytes(_seconds(0))
    return path, {"LD_PRELOAD": str(library), "CLOCK_FILE": str(path)}


def _move(clock: Path, seconds: int) -> None:
    # In place: the processes have the file mapped.
    with clock.open("rb+") as file:
        file.write(_seconds(seconds))


def _seconds(count: int) -> bytes:
    return count.to_bytes(8, sys.byteorder, signed=True)


def _run(command: Sequence[str]) -> int:
    return subprocess.run(command, check=False, capture_output=True).returncode
