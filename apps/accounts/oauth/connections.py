"""Allow clients to act for accounts, exchange codes and tokens, and end access.

Issuing or ending tokens of an account and client locks their Connection. A refresh that waited for a disconnect finds
no token, and the second of two requests with one code finds it used.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from oauth2_provider.models import (
    clear_expired,
    get_access_token_model,
    get_grant_model,
    get_refresh_token_model,
    revoke_access_token,
)

from apps.accounts.api_keys.secret import checksum, family_of
from apps.accounts.models import Application, Connection, User
from apps.accounts.models.clients import ConnectionQuerySet
from apps.core.api.scopes import SCOPE_TEXTS, Scope

UNUSED_FOR = timedelta(days=90)
# A code repeated this soon counts as a duplicate request. A stolen code is worthless without its verifier.
REPEATED_WITHIN = timedelta(seconds=10)
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class ConnectedApp:
    """A connection for display. `allowed` lists its permissions in words."""

    connection: Connection
    allowed: list[str]


@transaction.atomic
def allow(*, application: Application, user: User, withheld: Collection[Scope] = ()) -> Connection:
    """Record that the account allows a client, before a code is issued.

    Earlier tokens of the client with a withheld scope end. Tokens with fewer scopes on other devices stay.
    """
    connection, _ = Connection.objects.get_or_create(user=user, application=application)
    _lock(user.pk, application.pk)
    owned = get_access_token_model().objects.filter(user=user, application=application)
    for token in [token for token in owned if set(token.scope.split()) & set(withheld)]:
        revoke_access_token(token)
    return connection


@transaction.atomic
def disconnect(*, connection: Connection) -> None:
    """End all access of a client to the account. Its next request is refused."""
    if not _lock(connection.user_id, connection.application_id):
        return
    owned = {"user_id": connection.user_id, "application_id": connection.application_id}
    for model in (get_grant_model(), get_refresh_token_model(), get_access_token_model()):
        model.objects.filter(**owned).delete()
    connection.delete()


@transaction.atomic
def end_token(*, raw: str, application: Application) -> None:
    """Revoke a client's token and its whole family (RFC 7009). An unknown token is ignored."""
    filters = {"token_checksum": checksum(raw), "application": application}
    refresh_tokens, access_tokens = get_refresh_token_model().objects, get_access_token_model().objects
    access = access_tokens.filter(**filters).select_related("refresh_token").first()
    refresh = getattr(access, "refresh_token", None) if access else refresh_tokens.filter(**filters).first()
    owner = access or refresh
    if owner is None or not _lock(owner.user_id, application.pk):
        return
    if refresh is not None:
        get_refresh_token_model().revoke_family(refresh.token_family)
    access_tokens.filter(**filters).delete()
    connected = {"user_id": owner.user_id, "application": application}
    if not refresh_tokens.filter(**connected, revoked=None).exists():
        Connection.objects.filter(**connected).delete()


def exchange(form: Mapping[str, str], issue: Callable[[], Answer]) -> Answer | None:
    """Run a token request under its connection's lock. Returns None if the code or token was used meanwhile.

    A repeated code is refused and ends all tokens issued from it, unless the requests are duplicates. The validator
    decides about repeated refresh tokens.
    """
    owner = _owner_of(form)
    with transaction.atomic():
        if owner is None:
            _end_replayed(form)
            return issue()
        if not _lock(*owner) or _owner_of(form) is None:
            return None
        return issue()


def connected_apps(user: User) -> list[ConnectedApp]:
    """Return the account's connections that have tokens, newest first."""
    connections = _live(user).order_by("-connected_at")
    granted: dict[int, set[str]] = defaultdict(set)
    tokens = get_access_token_model().objects.filter(user=user, application__isnull=False)
    for application_id, scope in tokens.values_list("application_id", "scope"):
        granted[application_id] |= set(scope.split())
    return [
        ConnectedApp(connection, [SCOPE_TEXTS[scope] for scope in Scope if scope in granted[connection.application_id]])
        for connection in connections
    ]


def is_connected(*, user: User, client_id: str) -> bool:
    """Return whether the account currently allows a client."""
    return _live(user).filter(application__client_id=client_id).exists()


def delete_leftovers() -> None:
    """Delete expired codes and tokens, connections without tokens, and unused clients."""
    clear_expired()
    long_ago = timezone.now() - UNUSED_FOR
    owned = {"user": OuterRef("user"), "application": OuterRef("application")}
    codes = get_grant_model().objects.filter(**owned)
    tokens = get_refresh_token_model().objects.filter(**owned, revoked=None)
    Connection.objects.filter(~Exists(codes), ~Exists(tokens), connected_at__lt=long_ago).delete()
    Application.objects.filter(connections=None, created__lt=long_ago, is_active=True).delete()


def _live(user: User) -> ConnectionQuerySet:
    tokens = get_refresh_token_model().objects.filter(user=user, revoked=None, application=OuterRef("application"))
    return Connection.objects.visible_to(user).filter(Exists(tokens))


def _owner_of(form: Mapping[str, str]) -> tuple[int, int] | None:
    """Return the account and client IDs of a code or refresh token, or None."""
    if form.get("grant_type") == "refresh_token":
        rows = get_refresh_token_model().objects.filter(token_checksum=checksum(form.get("refresh_token", "")))
    else:
        rows = get_grant_model().objects.filter(code=checksum(form.get("code", "")))
    owner: tuple[int, int] | None = rows.values_list("user_id", "application_id").first()
    return owner


def _end_replayed(form: Mapping[str, str]) -> None:
    if form.get("grant_type") != "authorization_code" or not form.get("code"):
        return
    family = family_of(checksum(form["code"]))
    first = get_refresh_token_model().objects.filter(token_family=family).order_by("created").first()
    if first is not None and first.created <= timezone.now() - REPEATED_WITHIN:
        get_refresh_token_model().revoke_family(family)


def _lock(user_id: int, application_id: int) -> bool:
    connection = Connection.objects.select_for_update().filter(user_id=user_id, application_id=application_id)
    return connection.first() is not None
