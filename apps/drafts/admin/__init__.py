"""Drafts in the admin."""

from apps.drafts.admin import drafts, metrics

__all__ = ["drafts", "metrics"]
