from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.api_keys.services import create_api_key
from apps.accounts.models import User
from apps.core.api.scopes import OWNER_SCOPES, Scope
from apps.core.errors import DomainError


class Command(BaseCommand):
    help = "Creates an API key for an account and prints its secret once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the account's email address")
        parser.add_argument("--name", default="Command line", help="name of the key (default: %(default)s)")
        parser.add_argument("--scope", action="append", choices=[str(scope) for scope in Scope], help="default: all")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = User.objects.get(email__iexact=options["email"], is_active=True)
        except User.DoesNotExist:
            raise CommandError(f"No active account has the email {options['email']}.") from None
        scopes = [Scope(name) for name in options["scope"] or OWNER_SCOPES]
        try:
            _, raw = create_api_key(user=user, name=options["name"], scopes=scopes)
        except DomainError as error:
            raise CommandError(error.detail) from None
        self.stdout.write(raw)
