"""`manage.py restore`: fill an empty installation from a backup."""

import sys
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from django.core.management.base import BaseCommand, CommandError

from config.backup.archive import BackupError, passphrase_of, reason_of
from config.backup.contents import restore_backup
from config.backup.engines import database_running
from config.backup.places import opened

if TYPE_CHECKING:
    from io import BufferedReader


class Command(BaseCommand):
    """Checks the whole archive before it changes anything."""

    help = "Fills an empty data directory or database from a backup."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", help="a backup file, s3://bucket/name, or - for standard input")
        parser.add_argument("--identity", type=Path, metavar="FILE", help="the age identity file to decrypt with")
        parser.add_argument(
            "--passphrase-file", type=Path, metavar="FILE", help="decrypt with the passphrase in this file"
        )

    def handle(self, *_args: object, **options: Any) -> None:
        try:
            restore = partial(
                restore_backup,
                identities=options["identity"].read_text(errors="replace") if options["identity"] else "",
                passphrase=passphrase_of(options["passphrase_file"]),
            )
            with database_running(can_be_new=True):
                if options["source"] == "-":
                    manifest = restore(cast("BufferedReader", sys.stdin.buffer))
                else:
                    with opened(options["source"]) as file:
                        manifest = restore(file)
        except (BackupError, OSError) as error:
            raise CommandError(f"Restore failed: {reason_of(error)}") from error
        rows = sum(int(count) for count, _ in manifest["tables"].values())
        self.stdout.write(
            f"Restored {len(manifest['tables'])} tables with {rows:,} rows, made at {manifest['made_at']}."
        )
