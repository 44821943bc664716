"""A running Slipway for tests: the real processes of `manage.py up`, and what a person does with its pages."""

import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import Signals
from typing import Any

import httpx2
from lxml import html

from config.supervisor.processes import Child, Program
from tests.faults.processes import children, kill
from tests.leftovers import FOLDER, bare_environment
from tests.waiting import wait_for

PROJECT = Path(__file__).resolve().parents[1]
START_SECONDS = 600
STOP_SECONDS = 300
# Where the first installation is kept, to be copied: for several runs if .ci/run names a folder, or else for this one.
_FOLDERS = ("SLIPWAY_TESTS_DEMO", FOLDER)
# A cookie of the site's own: with it a request is answered for itself, never with a kept answer.
UNKEPT = {"csrftoken": "0" * 32}


@dataclass(frozen=True)
class Running:
    """What up.json says, the processes behind it, and where their files are."""

    up: Mapping[str, Any]
    pid: int
    first_page_seconds: float
    data_dir: Path

    @property
    def base_url(self) -> str:
        return str(self.up["base_url"])

    @property
    def api_key(self) -> str:
        return str(self.up["demo"]["api_key"])

    def child(self, word: str) -> int:
        """The number of the direct child process whose command line has this word; raises LookupError."""
        if result := self.children(word):
            return result[0]
        raise LookupError(word)

    def children(self, word: str) -> list[int]:
        """The numbers of all direct child processes whose command lines have this word."""
        return children(self.pid, word)

    def kill(self, word: str) -> Callable[[], bool]:
        """Kill a child process, and return what tells whether another one has taken its place."""
        former = self.child(word)
        kill(former)
        return lambda: any(pid != former for pid in self.children(word))


@contextmanager
def running(
    data_dir: Path,
    *,
    private_hosts: Sequence[str],
    command: Sequence[str] = (),
    cwd: Path = PROJECT,
    settings: Mapping[str, str] | None = None,
    start_seconds: float = START_SECONDS,
    port: int = 0,
) -> Iterator[Running]:
    """Start `manage.py up` with nothing of the test's in its environment, and stop it cleanly.

    `settings` are environment variables; `start_seconds` is how long the first page may take; `port` 0 is any
    free one. In a run of pytest the data folder becomes a copy of one with the demo in it, unless there is one, its
    engines are elsewhere, or another checkout's code is started.
    """
    if not (data_dir.exists() or cwd != PROJECT or "DATABASE_URL" in (settings or {})):
        copy_demo(data_dir)
    env = {
        **bare_environment(),
        # Browsers of tests share the machine.
        "PROOF_OF_WORK_COST": "10",
        "CRAWL_ALLOW_PRIVATE_HOSTS": ",".join(private_hosts),
        **(settings or {}),
    }
    start = [*(command or (sys.executable, "manage.py", "up")), "--port", str(port), "--data-dir", str(data_dir)]
    log = data_dir.parent / f"{data_dir.name}.log"
    program = Program(
        name="up",
        argv=start,
        env=env,
        cwd=cwd,
        stop_signals=(Signals.SIGINT,),
        orphan_signal=Signals.SIGKILL,
        stop_seconds=STOP_SECONDS,
        log=log,
    )
    process = Child(program)
    began = time.monotonic()
    process.start()
    try:
        up = _wait_for_up(data_dir / "up.json", process, log, seconds=start_seconds)
        httpx2.get(up["base_url"], timeout=start_seconds).raise_for_status()
        yield Running(up, process.pid, time.monotonic() - began, data_dir)
    finally:
        process.stop()
    assert process.poll() == 0, log.read_text()[-4000:]


def copy_demo(data_dir: Path) -> None:
    """Make the data folder a copy of one that has the demo: to make the demo takes six times as long as to start.

    Outside of a run of pytest there is none.
    """
    named = next(filter(None, map(os.environ.get, _FOLDERS)), None)
    if named is None:
        return
    folder = Path(named) / "installation"
    folder.mkdir(mode=0o711, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            (folder / "data").mkdir(mode=0o711, exist_ok=True)
            with running(folder / "data", private_hosts=()):
                pass
            (folder / "complete").touch()
    # With the owners of the files: root has PostgreSQL run as somebody else.
    subprocess.run(["cp", "-a", f"{folder / 'data'}/.", str(data_dir)], check=True)
    note = data_dir / "postgres.path"
    if note.exists():
        # PostgreSQL's files are where its user may enter (config/local/postgres.py). `up` moves the copy there, too.
        subprocess.run(["cp", "-a", note.read_text().strip(), str(data_dir / "postgres")], check=True)
        note.unlink()


def _wait_for_up(note: Path, process: Child, log: Path, *, seconds: float) -> dict[str, Any]:
    def is_there() -> bool:
        assert process.poll() is None, log.read_text()[-4000:]
        return note.exists()

    wait_for(is_there, seconds=seconds)
    result: dict[str, Any] = json.loads(note.read_text())
    return result


def press(client: httpx2.Client, page: httpx2.Response, button: str, fields: Mapping[str, str]) -> httpx2.Response:
    """Fill in the form of a page that has this button and press it, as a browser without JavaScript does."""
    return client.send(pressed(client, page, button, fields), follow_redirects=True)


def pressed(client: httpx2.Client, page: httpx2.Response, button: str, fields: Mapping[str, str]) -> httpx2.Request:
    """The request that pressing the button makes; `fields` are given by name, or by type as `[password]`."""
    tree: Any = html.document_fromstring(page.text, base_url=str(page.url))
    tree.make_links_absolute()
    for form in tree.forms:
        named = {_name(form, field): [value] for field, value in fields.items()}
        for one in form.xpath(".//button"):
            if "" not in named and button in " ".join(one.text_content().split()):
                values = _values(form) | named
                if one.get("name"):
                    values[one.get("name")] = [one.get("value", "")]
                action = one.get("formaction") or form.action
                return client.build_request("POST", action, data=values, headers={"Referer": str(page.url)})
    raise AssertionError(f"no button {button!r} on {page.url}")


def _values(form: Any) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in form.form_values():
        values.setdefault(name, []).append(value)
    return values


def _name(form: Any, field: str) -> str:
    """Name of the input that is meant; empty when the form has none."""
    if not field.startswith("["):
        return field
    result = form.xpath(f".//input[@type='{field[1:-1]}']")
    return str(result[0].get("name")) if result else ""
