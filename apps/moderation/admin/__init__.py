"""Admin pages of moderation: reports, appeals, decisions, block lists, histories of accounts, and founder profiles."""

from apps.moderation.admin import appeals, block_rules, cases, decisions, founders, metrics, people

__all__ = ["appeals", "block_rules", "cases", "decisions", "founders", "metrics", "people"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Moderation": (
        ("moderation.Case", "Reports", "flag"),
        ("moderation.Appeal", "Appeals", "balance"),
        ("moderation.Decision", "Decisions", "gavel"),
        ("blocklists.BlockRule", "Block list", "block"),
    ),
    "Founders": (("accounts.FounderProfile", "Founder profiles", "badge"),),
}
