"""`manage.py seed_demo`: create demo companies, votes, updates and stories, and an owner to sign in as."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.core.demo import SignIn, seed_all


class Command(BaseCommand):
    """The last line of the output is the demo owner's sign-in as JSON: email, password, api_key, and the admin's."""

    help = "Creates the demo data once, and prints the demo owner's sign-in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print nothing but the JSON line")
        parser.add_argument(
            "--credentials-file",
            type=Path,
            metavar="PATH",
            help="the JSON line of an earlier run. Its password and API key are kept if they still work, and "
            "replaced otherwise",
        )

    def handle(self, *_args: object, **options: Any) -> None:
        path: Path | None = options["credentials_file"]
        demo = seed_all(stored=_stored(path) if path else None)
        if demo.sign_in is None:
            raise CommandError("No installed app makes a demo owner.")
        if not options["json"]:
            self.stdout.write(f"The demo data is ready. The owner signs in as {demo.sign_in.email}.")
        self.stdout.write(json.dumps(asdict(demo.sign_in)))


def _stored(path: Path) -> SignIn | None:
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        return SignIn(**{key: str(value) for key, value in result.items()})
    except (OSError, ValueError, AttributeError, TypeError):
        return None
