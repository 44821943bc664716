"""This app's pages in the admin's sidebar: by group, model, name of its rows, and Material symbol."""

SIDEBAR = {
    "Launches": (
        ("launches.LaunchWeek", "Launch weeks", "calendar_month"),
        ("launches.Standing", "Leaderboards", "leaderboard"),
        ("launches.VoteLedger", "Vote ledgers", "receipt_long"),
        ("launches.LedgerEntry", "Ledger entries", "list"),
    ),
}
