"""Admin pages for sites and the pages their operators write."""

from apps.sites.admin import metrics, pages, sites

__all__ = ["metrics", "pages", "sites"]
