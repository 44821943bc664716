"""Hypothesis as the tests use it. A busy machine is no defect: no example has a deadline."""

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

settings.register_profile("slipway", deadline=None)
settings.load_profile("slipway")

__all__ = ["HealthCheck", "example", "given", "settings", "st"]
