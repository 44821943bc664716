"""`manage.py backup`: save the whole installation to one file, while it runs."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from apps.core.backup.archive import BackupError
from apps.core.backup.contents import make_backup
from apps.core.backup.engines import database_running

_NAMES = "slipway-*.tar*"


class Command(BaseCommand):
    """Writes next to the target first, so that a file with the target's name is always complete."""

    help = "Writes database, uploads and local secret key into one archive."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", help="a file; a folder, which gets a file named by the time; or - for the output")
        parser.add_argument(
            "--recipient", action="append", default=[], metavar="AGE1…", help="encrypt for this age public key"
        )
        parser.add_argument("--keep", type=int, default=0, help="with a folder: keep so many backups, the newest")

    def handle(self, *_args: object, **options: Any) -> None:
        recipients: list[str] = options["recipient"]
        try:
            with database_running():
                if options["target"] == "-":
                    make_backup(sys.stdout.buffer, recipients=recipients)
                    return
                path = _file(Path(options["target"]), is_encrypted=bool(recipients))
                _write(path, recipients)
        except (BackupError, OSError) as error:
            raise CommandError(f"No backup was made: {error}") from error
        if options["keep"] > 0:
            for old in sorted(path.parent.glob(_NAMES))[: -options["keep"]]:
                old.unlink()
        self.stdout.write(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")


def _file(target: Path, *, is_encrypted: bool) -> Path:
    if not target.is_dir():
        return target
    return target / f"slipway-{timezone.now():%Y-%m-%d-%H%M%S}.tar{'.age' if is_encrypted else ''}"


def _write(path: Path, recipients: list[str]) -> None:
    fresh = path.with_name(f".{path.name}.part")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            make_backup(file, recipients=recipients)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
