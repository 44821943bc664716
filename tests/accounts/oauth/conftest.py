import pytest

from apps.accounts.models import User
from tests.accounts.oauth.flow import AuthorizationClient, Person


@pytest.fixture
def person(db: None) -> Person:
    """Somebody who is signed in; without a password, which would take longer to hash than all else."""
    return Person(User.objects.create_user("person@example.com"))


@pytest.fixture
def stranger(db: None) -> Person:
    """Somebody else who is signed in."""
    return Person(User.objects.create_user("stranger@example.com"))


@pytest.fixture
def assistant(db: None) -> AuthorizationClient:
    """A client that has registered itself."""
    return AuthorizationClient.registered(client_name="Assistant")
