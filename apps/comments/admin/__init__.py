"""Admin pages of comments."""

from apps.comments.admin import comments, metrics

__all__ = ["comments", "metrics"]
