"""This app's pages in the admin's sidebar: by group, model, name of its rows, and Material symbol."""

SIDEBAR = {
    "Site": (
        ("sites.Site", "Site settings", "settings"),
        ("sites.SitePage", "Terms, privacy, imprint", "gavel"),
        ("sites.SitePageVersion", "Page versions", "history"),
        ("core.OutgoingEmail", "Outgoing emails", "mail"),
    ),
}
