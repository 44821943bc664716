from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.api import ApiClient
from tests.factories import UserFactory

pytestmark = pytest.mark.db


def test_the_printed_key_works_with_the_scopes_asked_for(db: None) -> None:
    user = UserFactory.create()
    printed = StringIO()
    call_command("create_api_key", user.email.upper(), "--scope", "account:read", stdout=printed)
    client = ApiClient(key=printed.getvalue().strip())
    assert client.get("/me/listings").status_code == 200
    assert client.post("/drafts", {"url": "https://acme.example"}).status_code == 403


def test_unknown_and_inactive_accounts_get_none(db: None) -> None:
    inactive = UserFactory.create(is_active=False)
    for email in ("nobody@example.com", inactive.email):
        with pytest.raises(CommandError, match="No active account"):
            call_command("create_api_key", email)


def test_the_rules_of_keys_hold_here_too(db: None) -> None:
    user = UserFactory.create()
    with pytest.raises(CommandError, match="1 to 60 characters"):
        call_command("create_api_key", user.email, "--name", "\u202e")
