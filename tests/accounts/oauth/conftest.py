from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.accounts.models import User
from tests.accounts.oauth.flow import AuthorizationClient, Person
from tests.accounts.oauth.publisher import PUBLISHER, Publisher, publishing
from tests.certificates import make_certificate


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


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificate of the publisher's host."""
    return make_certificate(tmp_path_factory.mktemp("tls"), PUBLISHER)


@pytest.fixture
def publisher(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Publisher]:
    """The host of a client's metadata document."""
    with publishing(monkeypatch, certificate) as host:
        yield host
