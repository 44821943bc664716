from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.accounts.sign_in.first_admin import LIFETIME_HOURS, new_setup_path


class Command(BaseCommand):
    help = f"Prints a link to create the first site admin. It works once, for {LIFETIME_HOURS} hours."

    def handle(self, *args: Any, **options: Any) -> None:
        path = new_setup_path()
        if path is None:
            self.stderr.write("There is a site admin already. Add more in the admin, under Accounts.")
        else:
            self.stdout.write(f"{settings.PUBLIC_BASE_URL}{path}")
