"""`manage.py upgrade_check`: say what to do before this release's code takes over."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from apps.core.management.commands.doctor import ExaminesCommand
from apps.core.operations.doctor.examinations import Examination
from apps.core.operations.doctor.upgrade import pending_migrations, upgrade_parts


class Command(ExaminesCommand):
    """Changes nothing. The previous release can keep running, also during `migrate`."""

    help = "Checks an installation before an upgrade to this release, and lists the migrations that will run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--backups", type=Path, metavar="FOLDER", help="the folder of your backups, or one backup")

    def parts(self, **options: Any) -> Mapping[str, Examination]:
        return upgrade_parts(backups=options["backups"])

    def handle(self, *args: object, **options: Any) -> None:
        super().handle(*args, **options)
        if not options["json"]:
            names = pending_migrations()
            for name in names:
                self.stdout.write(f"will run     {name}")
            self.stdout.write("Next: manage.py migrate, then restart." if names else "No migrations to run.")
