"""Scopes of credentials, with the permission text shown on the consent page."""

from enum import StrEnum


class Scope(StrEnum):
    ACCOUNT_READ = "account:read"
    LISTINGS_WRITE = "listings:write"
    ORDERS_WRITE = "orders:write"


OWNER_SCOPES = tuple(Scope)

# The texts on the consent page.
SCOPE_TEXTS = {
    Scope.ACCOUNT_READ: "Read your listings and orders",
    Scope.LISTINGS_WRITE: "Change your listings, story and interview",
    Scope.ORDERS_WRITE: "Price orders and create checkouts for you to pay",
}
