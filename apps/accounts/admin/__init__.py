"""Admin pages for accounts and connected clients."""

from apps.accounts.admin import accounts, metrics

__all__ = ["accounts", "metrics"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "People": (
        ("accounts.User", "Accounts", "person"),
        ("auth.Group", "Groups and permissions", "groups"),
        ("accounts.ApiKey", "API keys", "key"),
        ("accounts.Application", "Connected apps", "extension"),
    ),
}
