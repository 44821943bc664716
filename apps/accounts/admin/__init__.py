"""Accounts, their founder profiles and connected clients in the admin."""

from apps.accounts.admin import accounts, founders, metrics

__all__ = ["accounts", "founders", "metrics"]
