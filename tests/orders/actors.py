"""Who does something in the tests of orders."""

from apps.accounts.actors import Actor
from apps.accounts.models import User


def by_owner(user: User) -> Actor:
    """The buyer, in the browser."""
    return Actor(user=user, via="browser")


def by_staff(user: User) -> Actor:
    """A member of the site team, in the admin."""
    return Actor(user=user, via="admin")
