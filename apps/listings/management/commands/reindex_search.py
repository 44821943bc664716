from typing import Any

from django.core.management.base import BaseCommand

from apps.listings.search import reindex_all


class Command(BaseCommand):
    help = "Indexes every listing anew, in short transactions beside whoever writes, and forgets words that are gone."

    def handle(self, *args: Any, **options: Any) -> None:
        done = 0
        for done in reindex_all():
            if options["verbosity"] > 1:
                self.stdout.write(f"{done} listings")
        self.stdout.write(f"{done} listings are indexed.")
