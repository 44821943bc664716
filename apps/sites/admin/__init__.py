"""Admin pages for sites and the pages their operators write."""

from apps.sites.admin import metrics, pages, setup, sites

__all__ = ["metrics", "pages", "setup", "sites"]

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Site": (
        ("sites.Site", "Site settings", "settings"),
        ("sites.SitePage", "Terms, privacy, imprint", "gavel"),
        ("sites.SitePageVersion", "Page versions", "history"),
        ("core.OutgoingEmail", "Outgoing emails", "mail"),
    ),
}
