"""Sites and the pages that their admins write, in the admin."""

from apps.sites.admin import metrics, pages, sites

__all__ = ["metrics", "pages", "sites"]
