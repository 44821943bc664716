"""`manage.py restore`: fill an empty installation from a backup."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.core.backup.archive import BackupError
from apps.core.backup.contents import restore_backup
from apps.core.backup.engines import database_running


class Command(BaseCommand):
    """Checks the whole archive before it changes anything."""

    help = "Fills an empty data directory or database from a backup."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", help="a file that backup wrote, or - for the input")
        parser.add_argument("--identity", type=Path, metavar="FILE", help="the age identity file that opens the backup")

    def handle(self, *_args: object, **options: Any) -> None:
        try:
            identities = options["identity"].read_text() if options["identity"] else ""
            with database_running():
                if options["source"] == "-":
                    manifest = restore_backup(sys.stdin.buffer, identities=identities)
                else:
                    with Path(options["source"]).open("rb") as file:
                        manifest = restore_backup(file, identities=identities)
        except (BackupError, OSError) as error:
            raise CommandError(f"Nothing was restored: {error}") from error
        rows = sum(int(count) for count, _ in manifest["tables"].values())
        self.stdout.write(
            f"Restored {len(manifest['tables'])} tables with {rows:,} rows, made at {manifest['made_at']}."
        )
