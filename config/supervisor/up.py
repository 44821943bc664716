"""What `manage.py up` does: run engines, migrations, demo data, web, worker, crawler and beat until stopped."""

import errno
import hashlib
import http.client
import json
import os
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from signal import Signals

from config import env as variables
from config.local import Engines, write_private
from config.serving.open_files import connections_that_fit
from config.supervisor.forking import Forker, can_fork
from config.supervisor.processes import (
    HUNG_SECONDS,
    MARK,
    Child,
    Heartbeat,
    Process,
    Program,
    StartError,
    StopRequested,
    StopSignals,
    Supervisor,
    end_leftovers,
    is_alive,
    wait_until,
)

PROJECT = Path(__file__).resolve().parents[2]
# Celery warns root about pickled messages, but this project's are JSON.
_QUIET = ("-W", "ignore:You're running the worker with superuser privileges")
_PYTHON = (sys.executable, "-P", *_QUIET)
_RUN = (*_PYTHON, str(Path(__file__).with_name("child.py")))
# A busy machine, or one that has just booted, takes long to load the project.
_LOAD_SECONDS = _WEB_SECONDS = 180.0
_WEB_TRIES = 3
# There is one of each, with nobody to announce to.
_ALONE = ("--without-gossip", "--without-mingle")
_STOP_SECONDS = 10.0
_PROBE_SECONDS = 15.0
_PROBE_TIMEOUT = 10.0
_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - compared with, not bound


@dataclass(frozen=True, kw_only=True)
class Options:
    """Command options. `port` 0 means any free one. `emails` is the folder that they are written to, if they are."""

    host: str
    port: int
    data_dir: Path
    demo: bool
    web_processes: int
    worker_processes: int
    crawl_threads: int
    database_connections: int
    api_path: str
    mcp_path: str
    emails: str
    verbose: bool


def run(options: Options, *, say: Callable[[str], None]) -> None:
    """Run everything until SIGINT or SIGTERM, then stop it. Raises StartError if something can't run."""
    with StopSignals() as signals:
        _Up(options, signals=signals, say=say).run()


class _Up:
    def __init__(self, options: Options, *, signals: StopSignals, say: Callable[[str], None]) -> None:
        self._options = options
        self._data_dir = options.data_dir.resolve()
        self._note = self._data_dir / "up.json"
        self._say = say
        self._signals = signals
        self._supervisor = Supervisor(signals, say=say, hung_seconds=HUNG_SECONDS)
        self._services: list[Child] = []
        self._forker: Forker | None = None
        self._engines = Engines(
            self._data_dir,
            database_url=os.environ.get("DATABASE_URL", "").strip(),
            redis_url=os.environ.get("REDIS_URL", "").strip(),
            connections=options.database_connections,
            check=signals.check,
        )

    def run(self) -> None:
        self._engines.acquire()
        try:
            self._note.unlink(missing_ok=True)
            end_leftovers(f"{MARK}={self._mark}")
            self._start_and_watch()
        except StopRequested:
            self._say("Stopping.")
        finally:
            # Delete the note first, because readers must not be sent to a stopping server.
            self._note.unlink(missing_ok=True)
            self._supervisor.stop(self._services)
            self._engines.stop()

    @property
    def _mark(self) -> str:
        return hashlib.sha256(f"{os.geteuid()}:{self._data_dir}".encode()).hexdigest()[:16]

    def _start_and_watch(self) -> None:
        if self._options.emails:
            # Sign-in codes are in them.
            Path(self._options.emails).mkdir(mode=0o700, exist_ok=True)
        port = free_port(self._options.host, self._options.port)
        base_url = variables.base_url("PUBLIC_BASE_URL", self._address(port))
        env = self._environment(base_url)
        self._load(env)
        self._say("Starting PostgreSQL and Valkey.")
        self._engines.start()
        for child in self._engines.processes():
            self._supervisor.adopt(child)
        self._wait_for_project()
        # Start it long before the note is written, so that there is always something to delete it.
        self._serve(self._note_keeper(env))
        self._say("Updating the database and static files.")
        self._run_once(_manage("migrate", "--noinput", "--verbosity", "0", env=env))
        self._run_once(_manage("collect_changed", "--verbosity", "0", env=env))
        self._say("Starting the web server and workers.")
        program = self._web(port, env)
        web = self._serve(program, heartbeat=self._probe(port, Path(program.env["HEARTBEAT_FILE"])))
        demo, admin = self._seed(env) if self._options.demo else (None, None)
        setup_url = None if admin else self._setup_url(env)
        for program in (self._worker(env), self._crawler(env), self._beat(env)):
            self._serve(program, heartbeat=_touched(Path(program.env["HEARTBEAT_FILE"])))
        self._wait_for_web(web, port)
        urls = {
            "base_url": base_url,
            "api_url": base_url + self._options.api_path,
            "mcp_url": base_url + self._options.mcp_path,
        }
        if admin:
            admin = {"url": f"{base_url}/admin/", **admin}
        note = {**urls, "demo": demo, "admin": admin, "setup_url": setup_url, "pid": os.getpid()}
        write_private(self._note, json.dumps(note, indent=2) + "\n")
        self._say(self._welcome(urls, demo, admin, setup_url))
        self._supervisor.watch(lambda: False)

    def _load(self, env: dict[str, str]) -> None:
        """Load the project in a process that forks its programs, while the engines start."""
        if can_fork():
            self._forker = Forker(_PYTHON, ["config.supervisor.preload"], env=env, cwd=PROJECT)
            self._forker.start()
            self._services.append(self._forker)

    def _wait_for_project(self) -> None:
        forker = self._forker
        if forker is None:
            return

        def settled() -> bool:
            self._signals.check()
            return forker.is_ready() or forker.poll() is not None

        if not wait_until(settled, seconds=_LOAD_SECONDS) or not forker.is_ready():
            raise StartError("Slipway failed to load. See the output above.")
        self._supervisor.adopt(forker)

    def _fork(self, program: Program) -> Process | None:
        return self._forker.fork(program) if self._forker else None

    def _run_once(self, program: Program) -> Child:
        return self._supervisor.run_once(self._logged(program), fork=self._fork)

    def _logged(self, program: Program) -> Program:
        """Send a program's lines to its log, so that the console shows only what `up` says."""
        return program if self._options.verbose else replace(program, lines=self._log(program.name))

    def _log(self, name: str) -> Path:
        logs = self._data_dir / "logs"
        logs.mkdir(mode=0o700, exist_ok=True)
        return logs / f"{name}.log"

    def _serve(self, program: Program, *, heartbeat: Heartbeat | None = None) -> Child:
        """Start what runs until the end and is stopped then."""
        child = self._supervisor.start(self._logged(program), heartbeat=heartbeat, fork=self._fork)
        self._services.append(child)
        return child

    def _welcome(
        self, urls: dict[str, str], demo: dict[str, str] | None, admin: dict[str, str] | None, setup_url: str | None
    ) -> str:
        rows = [("Site", urls["base_url"]), ("API", urls["api_url"]), ("MCP", urls["mcp_url"])]
        if demo:
            rows += [("Sign in", f"{demo['email']}  password {demo['password']}"), ("API key", demo["api_key"])]
        if admin:
            rows += [("Admin", admin["url"]), ("", f"{admin['email']}  password {admin['password']}")]
        if setup_url:
            rows += [("Set up", setup_url), ("", "create the first admin here; works once, within 24 hours")]
        if not self._options.verbose:
            rows.append(("Logs", str(self._log("web").parent)))
        if self._options.emails:
            rows.append(("Emails", f"in {self._options.emails}, including sign-up codes"))
        rows.append(("Data", str(self._data_dir)))
        lines = "\n".join(f"  {label:<8} {value}" for label, value in rows)
        return f"\nSlipway is running.\n\n{lines}\n\nStop it with Ctrl-C.\n"

    def _address(self, port: int) -> str:
        host = _ANY_ADDRESS.get(self._options.host, self._options.host)
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def _environment(self, base_url: str) -> dict[str, str]:
        where = self._engines.addresses
        return {
            **os.environ,
            "DATABASE_URL": where.database_url,
            "REDIS_URL": where.redis_url,
            "PUBLIC_BASE_URL": base_url,
            "SLIPWAY_DATA_DIR": str(self._data_dir),
            "SLIPWAY_LOCAL": os.environ.get("SLIPWAY_LOCAL", "1"),
            "WEB_PROCESSES": str(self._options.web_processes),
            "PYTHONUNBUFFERED": "1",
            # Without this, each web server and worker would load every page again for Django's checks.
            "CELERY_SKIP_CHECKS": "1",
            "PROMETHEUS_MULTIPROC_DIR": str(self._metrics_dir()),
            # Otherwise glibc keeps up to eight memory arenas per core, as threads come and go.
            "MALLOC_ARENA_MAX": os.environ.get("MALLOC_ARENA_MAX", "2"),
            MARK: self._mark,
        }

    def _metrics_dir(self) -> Path:
        """Return an empty folder, because earlier processes' counts are over."""
        folder = self._data_dir / "metrics"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def _seed(self, env: dict[str, str]) -> tuple[dict[str, str], dict[str, str] | None]:
        """Create the demo data. Returns the sign-ins of its owner and, if there is one, of its admin."""
        path = self._data_dir / "demo.json"
        if not path.exists():
            self._say("Creating demo data. This takes up to a minute, only once.")
        seed = _manage("seed_demo", "--json", "--credentials-file", str(path), env=env, capture=True)
        lines = [line for line in self._run_once(seed).captured if line.strip()]
        try:
            result = json.loads(lines[-1])
            demo = {key: str(result[key]) for key in ("email", "password", "api_key")}
            admin = {key: str(result.get(f"admin_{key}", "")) for key in ("email", "password")}
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            raise StartError(f"seed_demo returned no credentials. {self._logged(seed).said}") from None
        # The key is stored nowhere else in the clear, and a later start must show it again.
        accounts = demo | {f"admin_{key}": value for key, value in admin.items()}
        write_private(path, json.dumps(accounts) + "\n")
        return demo, admin if admin["email"] else None

    def _setup_url(self, env: dict[str, str]) -> str | None:
        """Return a one-time link to create the first site admin, or None if there is one."""
        lines = self._run_once(_manage("setup_link", env=env, capture=True)).captured
        return next((line.strip() for line in lines if line.startswith(("http://", "https://"))), None)

    def _web(self, port: int, env: dict[str, str]) -> Program:
        command = web_command(host=self._options.host, port=port, workers=self._options.web_processes)
        beats = Path(self._heartbeat_file("web"))
        for left in beats.parent.glob(f"{beats.name}.*"):
            left.unlink()
        env = {**env, "HEARTBEAT_FILE": str(beats)}
        return Program(name="web", argv=command, env=env, cwd=PROJECT, stop_seconds=_STOP_SECONDS)

    def _worker(self, env: dict[str, str]) -> Program:
        words = ["--pool", "prefork", "--concurrency", str(self._options.worker_processes)]
        words += ["--hostname", "worker@%h", *_ALONE]
        # SIGTERM would let a long task continue after `up` was killed, and SIGQUIT waits for a broker that died, too.
        return self._celery("worker", "worker", *words, env=env, orphan_signal=Signals.SIGKILL)

    def _crawler(self, env: dict[str, str]) -> Program:
        # Threads, because crawls mostly wait for responses and for pauses between requests.
        words = ["--queues", "crawls,checks,webhooks", "--pool", "threads"]
        words += ["--concurrency", str(self._options.crawl_threads)]
        words += ["--hostname", "crawler@%h", *_ALONE]
        # Any other signal would let the threads finish.
        return self._celery("crawler", "worker", *words, env=env, orphan_signal=Signals.SIGKILL)

    def _beat(self, env: dict[str, str]) -> Program:
        words = ("--schedule", str(self._data_dir / "celerybeat-schedule"))
        return self._celery("beat", "beat", *words, env=env, orphan_signal=Signals.SIGTERM)

    def _celery(self, name: str, *words: str, env: dict[str, str], orphan_signal: Signals) -> Program:
        return Program(
            name=name,
            argv=[*_RUN, "celery", "--quiet", "-A", "config", *words, "--loglevel", "INFO"],
            env={**env, "HEARTBEAT_FILE": self._heartbeat_file(name)},
            cwd=PROJECT,
            stop_seconds=_STOP_SECONDS,
            orphan_signal=orphan_signal,
        )

    def _heartbeat_file(self, name: str) -> str:
        heartbeats = self._data_dir / "heartbeats"
        heartbeats.mkdir(mode=0o700, exist_ok=True)
        return str(heartbeats / name)

    def _note_keeper(self, env: dict[str, str]) -> Program:
        script = str(Path(__file__).with_name("note_keeper.py"))
        argv = [sys.executable, "-I", "-S", script, str(os.getpid()), str(self._note)]
        # It notices that `up` has ended, and then deletes the note.
        return Program(name="up.json", argv=argv, env=env, orphan_signal=Signals.SIGCONT)

    def _probe(self, port: int, beats: Path) -> Heartbeat:
        host, processes = _ANY_ADDRESS.get(self._options.host, self._options.host), _Processes(beats)
        return _Probe(lambda: _answers(host, port, timeout=_PROBE_TIMEOUT) and processes.have_beaten()).count

    def _wait_for_web(self, web: Child, port: int) -> None:
        host = _ANY_ADDRESS.get(self._options.host, self._options.host)
        deadline = time.monotonic() + _WEB_SECONDS

        def settled() -> bool:
            if self._supervisor.ends(web) >= _WEB_TRIES or time.monotonic() > deadline:
                raise StartError(f"The web server does not respond. {web.program.said}")
            return web.poll() is None and _answers(host, port)

        self._supervisor.watch(settled)


class _Processes:
    """The files that web server processes touch, because a hung process answers nobody while others still do."""

    def __init__(self, path: Path) -> None:
        """Prepare. Each file is `path`, a dot, and its process's PID."""
        self._path = path
        self._seen: dict[str, int] = {}

    def have_beaten(self) -> bool:
        """Return whether all living processes touched their files since the last call."""
        former, self._seen = self._seen, {}
        for file in self._path.parent.glob(f"{self._path.name}.*"):
            if is_alive(int(file.suffix[1:])):
                self._seen[file.name] = file.stat().st_mtime_ns
            else:
                file.unlink(missing_ok=True)
        return all(former.get(name) != touched for name, touched in self._seen.items())


class _Probe:
    """Query the web server every few seconds from a thread. The number of answers is its heartbeat."""

    def __init__(self, ask: Callable[[], bool]) -> None:
        self._ask = ask
        self._answers = 0
        threading.Thread(target=self._run, name="probe", daemon=True).start()

    def count(self) -> int:
        """Return the number of answers."""
        return self._answers

    def _run(self) -> None:
        while True:
            self._answers += self._ask()
            time.sleep(_PROBE_SECONDS)


def _touched(path: Path) -> Heartbeat:
    """Return the time of a file that a process touches. It is compared only with itself, never with a clock."""

    def heartbeat() -> int:
        try:
            return path.stat().st_mtime_ns
        except OSError:
            return 0

    return heartbeat


def web_command(*, host: str, port: int, workers: int) -> list[str]:
    """Return the web server's command line for `up`."""
    command = [*_RUN, "granian", "--interface", "rsgi", "--http", "1", "--no-ws", "--log-level", "warning"]
    command += ["--host", host, "--port", str(port), "--workers", str(workers)]
    # Idle connections close after this long, and many must fit until then.
    command += ["--http1-header-read-timeout", "15000", "--backpressure", str(connections_that_fit())]
    return [*command, "--workers-kill-timeout", "8", "--respawn-failed-workers", "config.rsgi:application"]


def free_port(host: str, port: int) -> int:
    """Return the port if available, or a free one for 0. Raises StartError that says what to do."""
    if not 0 <= port <= 65535:  # getaddrinfo would take what is left after division
        raise StartError("Use a port from 0 to 65535.")
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, proto) as probe:
            # As the server does: a port whose last connections are still closing is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            # Two sockets can bind with that option, but only one can listen.
            probe.listen(1)
            result: int = probe.getsockname()[1]
    except (socket.gaierror, UnicodeError):
        raise StartError(f"{host} is not an address of this machine. Try --host 127.0.0.1.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            problem = f"Port {port} on {host} is in use."
        else:
            problem = f"Cannot listen on {host}, port {port}: {error.strerror}."
        raise StartError(f"{problem} Choose one with --port, or any free one with --port 0.") from None
    return result


def _manage(command: str, *words: str, env: dict[str, str], capture: bool = False) -> Program:
    # The checks load every page and view, which the web server does anyway a second later.
    argv = [*_RUN, "config", command, "--skip-checks", *words]
    return Program(name=command, argv=argv, env=env, cwd=PROJECT, capture=capture)


def _answers(host: str, port: int, *, timeout: float = 5.0) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=timeout)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
