"""What a credential may do. One name a permission, shown to people on the consent page."""

from enum import StrEnum


class Scope(StrEnum):
    ACCOUNT_READ = "account:read"
    LISTINGS_WRITE = "listings:write"
    ORDERS_WRITE = "orders:write"


OWNER_SCOPES = tuple(Scope)
