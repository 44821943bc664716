"""The calendar, leaderboards and vote ledgers in the admin."""

from apps.launches.admin import launches, metrics

__all__ = ["launches", "metrics"]
