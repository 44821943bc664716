"""Admin pages for accounts, founder profiles and connected clients."""

from apps.accounts.admin import accounts, founders, metrics

__all__ = ["accounts", "founders", "metrics"]
