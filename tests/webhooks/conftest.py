from collections.abc import Iterator
from typing import Any

import pytest

from apps.accounts.models import User
from apps.webhooks import services
from tests.api import ApiClient
from tests.webhooks.receiver import Receiver, receiving


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A receiver that the operator has listed, so that it may be on loopback without TLS."""
    with receiving() as result:
        settings.CRAWL_ALLOW_PRIVATE_HOSTS = frozenset({result.host})
        yield result


@pytest.fixture
def only_told_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes of endpoints are no events, so that a test can count those that it makes."""
    monkeypatch.setattr(services, "_record", lambda action, endpoint, **data: None)


@pytest.fixture
def account(owner: ApiClient) -> User:
    assert owner.user
    return owner.user
