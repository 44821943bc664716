"""Names of orders: a number that people can read out, and the secret of the checkout page."""

import secrets

# 32 characters without 0, O, 1 and I: five bits each, so that ten of them carry 50.
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
LENGTH = 10
PREFIX = "SL-"


def new_number() -> str:
    """A random order number such as `SL-7K3QH9TRWC`."""
    return PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def new_secret() -> str:
    """192 random bits for an address."""
    return secrets.token_urlsafe(24)
