"""What a running site has to have before every page can be visited, and who visits.

usage: SLIPWAY_DATA_DIR=… python -m tests.browser.tour.places     (prints what `Places` has, as JSON)
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

from tests.leftovers import bare_environment
from tests.running import PROJECT


@dataclass(frozen=True)
class Places:
    """`cookies`: the session cookie of each visitor who has one; `values`: of what is in an address, by page."""

    cookies: Mapping[str, str]
    values: Mapping[str, Mapping[str, Any]]


def prepare(data_dir: Path) -> Places:
    """Fill the site of a running data directory, in a process that has its settings and nothing of the test's."""
    env = bare_environment() | {"SLIPWAY_DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-m", __name__]
    done = subprocess.run(command, cwd=PROJECT, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return Places(**json.loads(done.stdout.splitlines()[-1]))


def _main() -> None:
    django.setup()
    # Models are there only now.
    from tests.browser.tour import visitors  # noqa: PLC0415
    from tests.browser.tour.awkward import make_awkward, open_sections  # noqa: PLC0415

    make_awkward()
    places = visitors.prepare()
    # They are bought by the visitors first, and nobody can buy what is open.
    open_sections()
    print(json.dumps(places))  # noqa: T201 - the answer to who started this


def last_part(address: str) -> str:
    """What stands behind the last slash of an address."""
    result = re.search(r"[^/]+\Z", address)
    assert result is not None, address
    return result[0]


if __name__ == "__main__":
    _main()
