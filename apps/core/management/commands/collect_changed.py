"""`manage.py collect_changed`: collect this release's static files for production, unless they are there."""

from django.core.management.base import BaseCommand

from apps.core.web.static_files import collect_if_changed


class Command(BaseCommand):
    """Costs little when nothing has changed, because `up` runs it at every start."""

    help = "Collects static files, hashed and compressed, unless STATIC_ROOT already has those of this release."

    def handle(self, *_args: object, verbosity: int, **_options: object) -> None:
        if collect_if_changed() and verbosity:
            self.stdout.write("Static files are collected.")
