"""This app's pages in the admin's sidebar: by group, model, name of its rows, and Material symbol."""

SIDEBAR = {
    "Founders": (("accounts.FounderProfile", "Founder profiles", "badge"),),
    "People": (
        ("accounts.User", "Accounts", "person"),
        ("auth.Group", "Groups and permissions", "groups"),
        ("accounts.ApiKey", "API keys", "key"),
        ("accounts.Application", "Connected apps", "extension"),
    ),
}
