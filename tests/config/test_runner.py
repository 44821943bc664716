"""What the tests expect of their runner."""

import os

import pytest


@pytest.mark.xdist_group("runner")
def test_tests_of_a_group_run_in_one_worker(request: pytest.FixtureRequest) -> None:
    """The group stands behind the name; without it every worker would start servers of its own, silently."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("one process runs all tests")
    assert request.node.nodeid.endswith("@runner")
