from typing import Any

from django.core.management.base import BaseCommand

from apps.listings.search import reindex_all


class Command(BaseCommand):
    help = "Rebuilds the search index in short transactions, and removes unused words."

    def handle(self, *args: Any, **options: Any) -> None:
        done = 0
        for done in reindex_all():
            if options["verbosity"] > 1:
                self.stdout.write(f"{done} listings")
        self.stdout.write(f"{done} listings are indexed.")
