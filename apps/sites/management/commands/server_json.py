import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.sites import guide
from apps.sites.models import Site


class Command(BaseCommand):
    help = "Prints the server.json that publishes a site's MCP server in the MCP registry."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", metavar="KEY", help="the site's key (default: the default site's)")

    def handle(self, *args: Any, **options: Any) -> None:
        key = options["site"]
        site = Site.objects.filter(**({"key": key} if key else {"is_default": True})).first()
        if site is None:
            raise CommandError(f"No site has the key {key}." if key else "No site is the default.")
        self.stdout.write(json.dumps(guide.registry_entry(site), indent=2))
