"""Hypothesis as the tests use it: the same examples in every run, others where RANDOM_EXAMPLES is set, as at night.

A busy machine is no defect: no example has a deadline.
"""

import os

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

settings.register_profile("slipway", deadline=None, derandomize="RANDOM_EXAMPLES" not in os.environ, print_blob=True)
settings.load_profile("slipway")

__all__ = ["HealthCheck", "example", "given", "settings", "st"]
