import pytest


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The listings whose badge check was enqueued."""
    ids: list[int] = []
    monkeypatch.setattr("apps.launches.tasks.check_badge.delay", ids.append)
    return ids
