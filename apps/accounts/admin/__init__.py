"""Admin pages for accounts, founder profiles and connected clients."""

from apps.accounts.admin import accounts, founders, metrics

__all__ = ["accounts", "founders", "metrics"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Founders": (("accounts.FounderProfile", "Founder profiles", "badge"),),
    "People": (
        ("accounts.User", "Accounts", "person"),
        ("auth.Group", "Groups and permissions", "groups"),
        ("accounts.ApiKey", "API keys", "key"),
        ("accounts.Application", "Connected apps", "extension"),
    ),
}
