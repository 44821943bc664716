"""Identify who made a change, and how: by browser, API key, assistant, admin or system."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from django.http import HttpRequest
from rest_framework.request import Request

from apps.accounts.models import User
from apps.core.api.audience import Audience, audience_of
from apps.core.errors import Forbidden
from apps.core.versions.models import Author

Via: TypeAlias = Literal["browser", "key", "assistant", "admin", "system"]


@dataclass(frozen=True, slots=True)
class Credential:
    """A valid bearer credential: whose it is, what it may do, and its name in the version history.

    `counted_as` names its rate limit: one per key, or one per account and client.
    """

    user: User
    scopes: frozenset[str]
    name: str
    counted_as: str
    is_key: bool


@dataclass(frozen=True, slots=True)
class Actor(Author):
    """A person, how they came, and the name of the API key or client that acted for them."""

    user: User | None
    via: Via

    @property
    def account(self) -> User:
        """Return the person behind the actor, for actions that need one. Raises TypeError without one."""
        if self.user is None:
            raise TypeError("Only a person can do this.")
        return self.user


def only_person(by: Actor) -> Actor:
    """Raise Forbidden (403) unless a person acts in the browser."""
    if by.via != "browser":
        raise Forbidden("Only people in the browser can do this, never a key or an app.")
    return by


SYSTEM = Actor(user=None, via="system")


def account_of(request: HttpRequest | Request) -> User:
    """Return the account of an authenticated request. Raises TypeError for any other request."""
    user = request.user
    if not isinstance(user, User):
        raise TypeError("This needs a signed-in account. Declare a scope or require sign-in.")
    return user


def actor_of(request: HttpRequest | Request, *, via: Via | None = None) -> Actor:
    """Return who made an authenticated request.

    Clients, and keys used with the MCP server, are assistants. Other keys are API keys. Without a credential it is the
    browser. Admin pages pass `via="admin"`.
    """
    credential = getattr(request, "auth", None)
    user = account_of(request)
    if not isinstance(credential, Credential):
        return Actor(user=user, via=via or "browser")
    is_assistant = not credential.is_key or audience_of(request) == Audience.MCP
    return Actor(user=user, via=via or ("assistant" if is_assistant else "key"), credential=credential.name)
