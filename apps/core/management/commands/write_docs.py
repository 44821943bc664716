from pathlib import Path
from typing import Any

import yaml
from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.api import schema
from apps.core.operations.personal_data.records import as_markdown, records

OPENAPI = Path("openapi.yaml")
STATES = Path("states.md")
PERSONAL_DATA = Path("personal-data.md")


def generated_files() -> dict[Path, str]:
    """Return the generated files in docs/ by name: OpenAPI document, state diagrams, table of personal data."""
    return {OPENAPI: _openapi(), STATES: _states(), PERSONAL_DATA: _personal_data()}


def _openapi() -> str:
    text: str = yaml.safe_dump(schema.document(), sort_keys=False, allow_unicode=True, width=100)
    return text


def _states() -> str:
    parts = [
        "# States\n",
        "Generated from each model's TRANSITIONS by `manage.py write_docs`. A test fails if it is out of date.\n",
    ]
    for model in sorted(apps.get_models(), key=lambda model: model.__name__):
        transitions: dict[Any, Any] | None = getattr(model, "TRANSITIONS", None)
        if transitions:
            parts.append(f"## {model.__name__}\n\n```mermaid\n{_diagram(transitions)}```\n")
    return "\n".join(parts)


def _personal_data() -> str:
    intro = (
        "# Personal data\n\n"
        "What Slipway stores about people, why, and for how long. Generated from each app's `personal_data.py` by\n"
        "`manage.py write_docs`. Tests fail if a model or field is missing. `manage.py export_person` exports one\n"
        "person's rows. An account is erased 14 days after its owner asks. The last column says what happens then:\n"
        "a pseudonym without name or email stays. For the retention settings, see\n"
        "[operations](operations/accounts.md#peoples-data).\n\n"
    )
    return intro + as_markdown(sorted(records(), key=lambda record: record.model))


def _diagram(transitions: dict[Any, Any]) -> str:
    lines = ["stateDiagram-v2"]
    lines.append(f"    [*] --> {next(iter(transitions)).value}")
    for state, followers in transitions.items():
        lines += [f"    {state.value} --> {follower}" for follower in sorted(str(one.value) for one in followers)]
        if not followers:
            lines.append(f"    {state.value} --> [*]")
    return "\n".join(lines) + "\n"


class Command(BaseCommand):
    help = "Writes the generated files in docs/. With --check, only reports outdated ones."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        docs = Path(settings.BASE_DIR) / "docs"
        stale = []
        for name, text in generated_files().items():
            path = docs / name
            if options["check"]:
                stale += [name] if not path.exists() or path.read_text() != text else []
            else:
                path.write_text(text)
        if stale:
            raise CommandError(f"Outdated: {', '.join(map(str, stale))}. Run manage.py write_docs.")
