"""`manage.py backup`: save the whole installation to one file, while it runs."""

import sys
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.backup.archive import BackupError, passphrase_of, reason_of
from config.backup.contents import make_backup
from config.backup.engines import database_running
from config.backup.places import place


class Command(BaseCommand):
    """A file with the target's name is always complete."""

    help = "Writes the database, uploads and local secret key to one archive."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "target",
            help="a file, a folder (adds a file named by time), s3://bucket/folder/, or - for standard output",
        )
        parser.add_argument(
            "--recipient", action="append", default=[], metavar="AGE1…", help="encrypt for this age public key"
        )
        parser.add_argument(
            "--passphrase-file", type=Path, metavar="FILE", help="encrypt with the passphrase in this file"
        )
        parser.add_argument("--keep", type=int, default=0, help="keep only the newest KEEP backups in the folder")

    def handle(self, *_args: object, **options: Any) -> None:
        recipients: list[str] = options["recipient"]
        try:
            passphrase = passphrase_of(options["passphrase_file"])
            if recipients and passphrase:
                raise BackupError("Choose one of --recipient and --passphrase-file.")
            fill = partial(make_backup, recipients=recipients, passphrase=passphrase)
            if options["keep"] > 0 and not (options["target"] != "-" and place(options["target"]).is_folder):
                raise BackupError("--keep needs a folder. Create it first, or end a bucket's with a slash.")
            with database_running():
                if options["target"] == "-":
                    fill(sys.stdout.buffer)
                    return
                target = place(options["target"])
                result = target.write(fill, suffix=".tar.age" if recipients or passphrase else ".tar")
                if options["keep"] > 0:
                    target.keep_newest(options["keep"])
        except (BackupError, OSError) as error:
            raise CommandError(f"Backup failed: {reason_of(error)}") from error
        self.stdout.write(result)
