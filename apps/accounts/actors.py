"""Identify who made a change, and how: by browser, API key, assistant, admin or system."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from django.http import HttpRequest
from rest_framework.request import Request

from apps.accounts.models import User
from apps.core.api.audience import Audience, audience_of
from apps.core.errors import Forbidden
from apps.core.request.client_ip import client_address
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
    """A person, how they came, and the name of the API key or client that acted for them.

    `address` is the client's IP address, which is never stored.
    """

    user: User | None
    via: Via
    address: str = field(default="", compare=False, repr=False, kw_only=True)

    @property
    def account(self) -> User:
        """Return the person behind the actor, for actions that need one. Raises TypeError without one."""
        if self.user is None:
            raise TypeError("Only a person can do this.")
        return self.user


def only_person(by: Actor) -> Actor:
    """Raise Forbidden (403) unless a person acts in the browser."""
    if by.via != "browser":
        raise Forbidden("This only works in the browser, not with a key or an app.")
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
    user, address = account_of(request), client_address(request)
    if not isinstance(credential, Credential):
        return Actor(user=user, via=via or "browser", address=address)
    is_assistant = not credential.is_key or audience_of(request) == Audience.MCP
    through: Via = "assistant" if is_assistant else "key"
    return Actor(user=user, via=via or through, credential=credential.name, address=address)
