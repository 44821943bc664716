"""Scopes of credentials, with the permission text shown on the consent page."""

from enum import StrEnum


class Scope(StrEnum):
    ACCOUNT_READ = "account:read"
    LISTINGS_WRITE = "listings:write"
    ORDERS_WRITE = "orders:write"
    WEBHOOKS_WRITE = "webhooks:write"


# What connected apps can get, and a new key has unless its owner chooses. No tool needs the others.
OWNER_SCOPES = (Scope.ACCOUNT_READ, Scope.LISTINGS_WRITE, Scope.ORDERS_WRITE)

# The texts on the consent page.
SCOPE_TEXTS = {
    Scope.ACCOUNT_READ: "Read your listings and orders",
    Scope.LISTINGS_WRITE: "View and change your listings, story and interview",
    Scope.ORDERS_WRITE: "Price and track orders, and create checkouts for you to pay",
    Scope.WEBHOOKS_WRITE: "Send your events to webhooks",
}
