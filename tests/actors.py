"""Who does something in tests that do not come by HTTP."""

from apps.accounts.actors import Actor
from apps.accounts.models import User


def in_browser(user: User) -> Actor:
    """A person who is signed in."""
    return Actor(user=user, via="browser")


def by_team(user: User) -> Actor:
    """A site admin, in the admin."""
    return Actor(user=user, via="admin")
