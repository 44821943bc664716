"""JSON-LD as TypeScript, so that the compiler checks it against schema-dts: schema.org's vocabulary as types."""

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.conformance.npm import Packages
from tests.waiting import PATIENCE_SECONDS

SCRIPT = "typescript/bin/tsc"
_OPTIONS = {
    "strict": True,
    "noEmit": True,
    "skipLibCheck": True,
    "exactOptionalPropertyTypes": True,
    "module": "nodenext",
    "types": [],
}


def complaints(
    packages: Packages,
    folder: Path,
    things: Iterable[Mapping[str, Any]],
    *,
    wrong: Iterable[Mapping[str, Any]] = (),
) -> Sequence[str]:
    """What the compiler finds in these things; `wrong` are others of which it has to find something in each."""
    (folder / "node_modules").symlink_to(packages.modules)
    config = {"compilerOptions": _OPTIONS, "files": ["data.ts"]}
    (folder / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    lines = ['import type * as schema from "schema-dts";']
    lines += [_declared(f"thing{number}", thing) for number, thing in enumerate(things)]
    # A line that the compiler has nothing against is a finding then.
    lines += [f"// @ts-expect-error\n{_declared(f'wrong{number}', thing)}" for number, thing in enumerate(wrong)]
    (folder / "data.ts").write_text("\n".join(lines), encoding="utf-8")
    command = packages.command(SCRIPT, "--project", str(folder), "--pretty", "false")
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False, cwd=folder)
    result = done.stdout.splitlines()
    assert done.returncode == (2 if result else 0), done.stdout + done.stderr
    return result


def _declared(name: str, thing: Mapping[str, Any]) -> str:
    """A constant of the thing's own type: by the union of all types nothing would be too much."""
    return f"export const {name}: Exclude<schema.{thing['@type']}, string> = {_written(thing)};"


def _written(value: Any) -> str:
    """A value as TypeScript; JSON is a part of it."""
    if isinstance(value, Mapping):
        written = ", ".join(f"{json.dumps(key)}: {_written(one)}" for key, one in value.items())
        if "query-input" in value:
            # The vocabulary has this property as an annotation, which the types know by this name.
            return f"({{{written}}} satisfies schema.WithActionConstraints<schema.SearchAction>) as schema.SearchAction"
        return f"{{{written}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return json.dumps(value)
