"""A plugin of pytest: what a process keeps by generations does not reach the next test."""

import pytest


@pytest.fixture(autouse=True)
def _no_generations_kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.node.get_closest_marker("db"):
        return
    from apps.core.valkey import generations
    from apps.core.valkey.circuit_breaker import CircuitBreaker
    from apps.listings.search import queries

    monkeypatch.setattr(generations, "breaker", CircuitBreaker(log_as=generations.LOG_AS))
    monkeypatch.setattr(generations, "_recent", {})
    monkeypatch.setattr(queries, "many_until", {})
