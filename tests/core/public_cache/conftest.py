"""A busy machine takes its time: here no answer ends by the clock."""

import pytest
from django.http import HttpResponse

from apps.core.web.public_cache import middleware


def _long(response: HttpResponse) -> int:
    return 600


@pytest.fixture(autouse=True)
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "seconds_to_store", _long)
