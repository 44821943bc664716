"""Accounts, their keys and clients, and founder profiles."""

from apps.accounts.models.api_keys import ApiKey
from apps.accounts.models.clients import Application, Connection
from apps.accounts.models.founders import FounderProfile
from apps.accounts.models.users import NotificationKind, User

__all__ = ["ApiKey", "Application", "Connection", "FounderProfile", "NotificationKind", "User"]
