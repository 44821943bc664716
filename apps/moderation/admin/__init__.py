"""Admin pages of moderation: reports, appeals, decisions, histories of accounts, and founder profiles."""

from apps.moderation.admin import appeals, cases, decisions, founders, metrics, people

__all__ = ["appeals", "cases", "decisions", "founders", "metrics", "people"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Moderation": (
        ("moderation.Case", "Reports", "flag"),
        ("moderation.Appeal", "Appeals", "balance"),
        ("moderation.Decision", "Decisions", "gavel"),
    ),
    "Founders": (("accounts.FounderProfile", "Founder profiles", "badge"),),
}
