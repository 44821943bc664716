"""Fetch untrusted content safely. Drafts, badge checks and client documents use this package."""

from apps.core.fetch.addresses import normalise_address
from apps.core.fetch.client import SafeClient, fetch_page, fetch_url
from apps.core.fetch.configuration import FETCH_SECONDS, Limits, allowed_private_hosts
from apps.core.fetch.errors import WHY_CUT, FetchError, FetchFailure
from apps.core.fetch.fetched import HTML_TYPES, Fetched
from apps.core.fetch.resolver import Resolver

__all__ = [
    "FETCH_SECONDS",
    "HTML_TYPES",
    "WHY_CUT",
    "FetchError",
    "FetchFailure",
    "Fetched",
    "Limits",
    "Resolver",
    "SafeClient",
    "allowed_private_hosts",
    "fetch_page",
    "fetch_url",
    "normalise_address",
]
