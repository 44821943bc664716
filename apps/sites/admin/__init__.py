"""Admin pages for sites and the pages their operators write."""

from apps.sites.admin import metrics, pages, setup, sites

__all__ = ["metrics", "pages", "setup", "sites"]
