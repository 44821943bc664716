"""The calendar, leaderboards and vote ledgers in the admin."""

from apps.launches.admin import launches, metrics

__all__ = ["launches", "metrics"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Launches": (
        ("launches.LaunchWeek", "Launch weeks", "calendar_month"),
        ("launches.Standing", "Leaderboards", "leaderboard"),
        ("launches.VoteLedger", "Vote ledgers", "receipt_long"),
        ("launches.LedgerEntry", "Ledger entries", "list"),
    ),
}
