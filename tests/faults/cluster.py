"""PostgreSQL servers of a test's own: a primary, its streaming replica, and the replica's promotion."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import quote

import psycopg

from config.local import Engines
from config.local.binaries import postgres_bin, server_account
from config.local.places import DATABASE, make_data_dir, socket_dir
from config.supervisor.processes import Child
from tests.running import copy_demo
from tests.waiting import wait_for

_NO_VALKEY = "redis://given"


@dataclass(frozen=True)
class Server:
    """One PostgreSQL server on a socket in a folder of its own."""

    sockets: Path
    child: Child

    @property
    def url(self) -> str:
        return url_of(self)

    def sql(self, query: LiteralString) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(query)
            return cursor.fetchall() if cursor.description else []

    def start(self) -> None:
        self.child.start()
        wait_for(self.answers)

    def answers(self) -> bool:
        try:
            return bool(self.sql("SELECT 1"))
        except psycopg.OperationalError:
            return False


@dataclass(frozen=True)
class Cluster:
    """A primary, and a replica that streams from it."""

    primary: Server
    replica: Server

    @property
    def primary_url(self) -> str:
        """Whichever of the two can be written to."""
        return url_of(self.primary, self.replica, target="read-write")

    @property
    def replica_url(self) -> str:
        """A replica as long as there is one."""
        return url_of(self.replica, self.primary, target="prefer-standby")

    def commit_on_both(self) -> None:
        """Acknowledge no write before the replica has it on its disk."""
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.sql("SELECT pg_reload_conf()")
        wait_for(self.is_in_step)

    def is_in_step(self) -> bool:
        """Whether the replica acknowledges what the primary commits, or has become the primary itself."""
        try:
            if self.replica.sql("SELECT 1 WHERE NOT pg_is_in_recovery()"):
                return True
            return self.primary.sql("SELECT sync_state FROM pg_stat_replication") == [("sync",)]
        except psycopg.OperationalError:
            return False

    def promote(self) -> None:
        """Make the replica the primary; the former one has to be dead."""
        self.replica.sql("SELECT pg_promote()")


def url_of(*servers: Server, target: str = "any") -> str:
    """The address of the first server that is what is wanted."""
    hosts = quote(",".join(str(server.sockets) for server in servers), safe="/,")
    ports = ",".join("5432" for _ in servers)
    return f"postgresql://{DATABASE}@/{DATABASE}?host={hosts}&port={ports}&target_session_attrs={target}"


@contextmanager
def running_cluster(*, connections: int = 100) -> Iterator[Cluster]:
    """Start a primary and its replica on fresh folders, and remove both in the end."""
    with ExitStack() as stack:
        folders = [stack.enter_context(_folder(name)) for name in ("primary", "replica")]
        copy_demo(folders[0])
        primary = stack.enter_context(_server(folders[0], connections))
        _copy(primary, folders[1])
        replica = stack.enter_context(_server(folders[1], connections))
        yield Cluster(primary, replica)


@contextmanager
def _folder(name: str) -> Iterator[Path]:
    # PostgreSQL's user cannot enter pytest's own folders.
    folder = Path(tempfile.mkdtemp(prefix=f"slipway-{name}-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(socket_dir(folder), ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _server(folder: Path, connections: int) -> Iterator[Server]:
    with Engines(folder, redis_url=_NO_VALKEY, connections=connections) as engines:
        yield Server(socket_dir(folder), engines.processes()[0])


def _copy(primary: Server, folder: Path) -> None:
    """Make the files of a replica that follows the primary."""
    account = server_account()
    make_data_dir(folder)
    target = folder / "postgres"
    target.mkdir(mode=0o700)
    words = [postgres_bin() / "pg_basebackup", "-d", primary.url, "-D", target, "-R", "--checkpoint=fast"]
    who: dict[str, Any] = {}
    if account:
        shutil.chown(target, account.uid, account.gid)
        who = {"user": account.uid, "group": account.gid, "extra_groups": []}
    subprocess.run([str(word) for word in words], check=True, capture_output=True, cwd="/", **who)
