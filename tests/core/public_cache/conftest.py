"""A busy machine takes its time: here no answer ends by the clock, and Valkey may take long."""

from collections.abc import Iterator

import pytest
from django.http import HttpResponse

from apps.core.valkey import generations
from apps.core.web.public_cache import middleware


def _long(response: HttpResponse) -> int:
    return 600


@pytest.fixture(autouse=True)
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(middleware, "seconds_to_keep", _long)
    monkeypatch.setattr(generations, "_TIMEOUT_SECONDS", 30)
    generations.forget_connections()
    yield
    generations.forget_connections()
