"""`manage.py read_pages`: the facts of saved pages, and where on the page each stands."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.drafts.page_lists import UnreadableListError, entries, read_listed


class Command(BaseCommand):
    """Needs neither network nor database."""

    help = (
        "Reads pages that lie in files, plain or gzipped, and prints a line of JSON for each: title, description, "
        "image, logo, author, publisher, url, date, lang, and under sources where each of them stands."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "lists",
            nargs="+",
            metavar="FILE",
            help='a list in JSON lines of {"file", "url"}; names of files count from its folder. - is standard input',
        )

    def handle(self, *_args: object, **options: Any) -> None:
        unread = 0
        for name in options["lists"]:
            folder = Path() if name == "-" else Path(name).parent
            try:
                for page in entries(_lines(name)):
                    found = read_listed(page, folder=folder)
                    unread += found["error"] is not None
                    self.stdout.write(json.dumps(found, ensure_ascii=False))
            except (OSError, UnicodeDecodeError, UnreadableListError) as error:
                raise CommandError(f"{name}: {error}") from None
        if unread:
            raise CommandError(f"Pages that could not be read: {unread}. Their lines say why.")


def _lines(name: str) -> list[str]:
    if name == "-":
        return sys.stdin.read().splitlines()
    return Path(name).read_text(encoding="utf-8").splitlines()
