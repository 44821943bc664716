"""The TypeScript samples of the page about webhooks, with the headers of a request of Node.js."""

import json
import subprocess
from pathlib import Path

import pytest

from apps.webhooks import reference
from tests.conformance.npm import Packages
from tests.conformance.structured_data import SCRIPT
from tests.waiting import PATIENCE_SECONDS

OPTIONS = {"strict": True, "noEmit": True, "skipLibCheck": True, "module": "nodenext", "types": ["node"]}
RECEIVER = """
import { createServer } from "node:http";
import { isValid } from "./NAME.js";
createServer((request) => isValid("", request.headers, ""));
// @ts-expect-error
createServer((request) => isValid("", request, ""));
isValid("", Object.fromEntries(new Request("https://hooks.example").headers), "");
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["verify", "verify_v1a"])
def test_a_sample_takes_the_headers_of_a_request(name: str, packages: Packages, tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(packages.modules)
    sample = Path(reference.__file__).parent / "samples" / f"{name}.ts"
    (tmp_path / f"{name}.ts").write_text(sample.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "receiver.ts").write_text(RECEIVER.replace("NAME", name), encoding="utf-8")
    config = {"compilerOptions": OPTIONS, "files": ["receiver.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    command = packages.command(SCRIPT, "--project", str(tmp_path), "--pretty", "false")
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False, cwd=tmp_path)
    assert (done.stdout, done.returncode) == ("", 0)
