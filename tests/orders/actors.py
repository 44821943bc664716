"""Who does something in the tests of orders."""

from apps.accounts.actors import Actor
from apps.accounts.models import User


def by_owner(user: User) -> Actor:
    """The buyer, in the browser."""
    return Actor(user=user, via="browser")


def by_staff(user: User) -> Actor:
    """A site admin, in the admin."""
    return Actor(user=user, via="admin")
