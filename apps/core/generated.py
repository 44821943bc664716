"""The files under docs/ that are made from the code."""

from pathlib import Path
from typing import Any

import yaml
from django.apps import apps

from apps.core import schema

OPENAPI = Path("openapi.yaml")
STATES = Path("states.md")


def generated_files() -> dict[Path, str]:
    """Text by file name below docs/: the OpenAPI document, and a state diagram of every model with TRANSITIONS."""
    return {OPENAPI: _openapi(), STATES: _states()}


def _openapi() -> str:
    text: str = yaml.safe_dump(schema.document(), sort_keys=False, allow_unicode=True, width=100)
    return text


def _states() -> str:
    parts = [
        "# States\n",
        "Made from each model's TRANSITIONS by `manage.py write_docs`; a test keeps this page true.\n",
    ]
    for model in sorted(apps.get_models(), key=lambda model: model.__name__):
        transitions: dict[Any, Any] | None = getattr(model, "TRANSITIONS", None)
        if transitions:
            parts.append(f"## {model.__name__}\n\n```mermaid\n{_diagram(transitions)}```\n")
    return "\n".join(parts)


def _diagram(transitions: dict[Any, Any]) -> str:
    lines = ["stateDiagram-v2"]
    lines.append(f"    [*] --> {next(iter(transitions)).value}")
    for state, followers in transitions.items():
        lines += [f"    {state.value} --> {follower}" for follower in sorted(str(one.value) for one in followers)]
        if not followers:
            lines.append(f"    {state.value} --> [*]")
    return "\n".join(lines) + "\n"
