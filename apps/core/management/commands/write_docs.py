from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.generated import generated_files


class Command(BaseCommand):
    help = "Writes the generated files below docs/; with --check it only says whether they are true."

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
            raise CommandError(f"Not as the code says: {', '.join(map(str, stale))}. Run manage.py write_docs.")
