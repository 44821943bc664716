"""`manage.py export_person`: answer somebody who asks for a copy of their data."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from apps.core.operations.personal_data.archive import write_archive


class Command(BaseCommand):
    """Writes a file that only you can read, and never replaces one."""

    help = "Exports everything stored about a person as a ZIP archive."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the account's email address")
        parser.add_argument("file", type=Path, help="the archive to write; must not exist")

    def handle(self, *_args: object, **options: Any) -> None:
        path: Path = options["file"]
        account = get_user_model().objects.filter(email__iexact=options["email"]).first()
        if account is None:
            raise CommandError(f"No account has the email {options['email']}.")
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise CommandError(f"Can't write {path}: {error.strerror}. Choose another file.") from error
        try:
            with os.fdopen(descriptor, "wb") as file:
                counts = write_archive(account, file)
        except BaseException as error:
            path.unlink()
            if isinstance(error, OSError):
                raise CommandError(f"Nothing was written: {error}") from error
            raise
        for model, count in counts.items():
            self.stdout.write(f"{model}: {count}")
        self.stdout.write(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
