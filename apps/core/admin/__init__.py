"""Admin pages of the core: outgoing emails, and the dashboard."""

from apps.core.admin import emails

__all__ = ["emails"]
