"""Accounts, their keys and clients, and founder profiles."""

from apps.accounts.models.api_keys import ApiKey
from apps.accounts.models.clients import Application, Connection
from apps.accounts.models.data_exports import DataExport
from apps.accounts.models.founders import FounderProfile
from apps.accounts.models.users import SIGN_UP_NETWORK_LENGTH, NotificationKind, User

__all__ = [
    "SIGN_UP_NETWORK_LENGTH",
    "ApiKey",
    "Application",
    "Connection",
    "DataExport",
    "FounderProfile",
    "NotificationKind",
    "User",
]
