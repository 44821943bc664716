"""What the tests expect of their runner."""

import os

import pytest
from django.core.cache import cache

from tests.conftest import SERVES


@pytest.mark.xdist_group("runner")
def test_tests_of_a_group_run_in_one_worker(request: pytest.FixtureRequest) -> None:
    """The group stands behind the name; without it every worker would start servers of its own, silently."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("one process runs all tests")
    assert request.node.nodeid.endswith("@runner")


def test_a_unit_test_sets_up_no_fixture_that_does_nothing_for_it(request: pytest.FixtureRequest) -> None:
    assert SERVES.keys() & set(request.node.fixturenames) == set()


@pytest.mark.django_db
@pytest.mark.xdist_group("runner")
@pytest.mark.parametrize("case", [1, 2])
def test_nothing_that_another_test_cached_is_there(case: int, request: pytest.FixtureRequest) -> None:
    served = SERVES.keys() & set(request.node.fixturenames)
    of_databases = {name for name, wanted in SERVES.items() if wanted in {"db", "django_db"}}
    assert served == of_databases
    assert cache.get("left-by-another-case") is None
    cache.set("left-by-another-case", case)
