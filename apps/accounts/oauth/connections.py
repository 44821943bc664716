"""Allowing a client to act for an account, exchanging codes and tokens for it, and ending that.

Everything that issues or ends tokens of one account and client does so under the lock of their Connection: a refresh
that waits for a disconnect finds nothing left, and of two requests with one code the second finds it spent.
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
# A code shown again this soon is taken for a request sent twice. Without its verifier a stolen code is worth nothing.
REPEATED_WITHIN = timedelta(seconds=10)
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class ConnectedApp:
    """A connection as people see it. `allowed` lists its permissions in words."""

    connection: Connection
    allowed: list[str]


@transaction.atomic
def allow(*, application: Application, user: User, withheld: Collection[Scope] = ()) -> Connection:
    """Note that the account lets a client act for it, before a code is issued.

    Earlier tokens of the client that have a withheld scope end; those of other devices with less stay.
    """
    connection, _ = Connection.objects.get_or_create(user=user, application=application)
    _lock(user.pk, application.pk)
    owned = get_access_token_model().objects.filter(user=user, application=application)
    for token in [token for token in owned if set(token.scope.split()) & set(withheld)]:
        revoke_access_token(token)
    return connection


@transaction.atomic
def disconnect(*, connection: Connection) -> None:
    """End everything that a client can do for an account; its very next request is refused."""
    if not _lock(connection.user_id, connection.application_id):
        return
    owned = {"user_id": connection.user_id, "application_id": connection.application_id}
    for model in (get_grant_model(), get_refresh_token_model(), get_access_token_model()):
        model.objects.filter(**owned).delete()
    connection.delete()


@transaction.atomic
def end_token(*, raw: str, application: Application) -> None:
    """Revoke a token of a client, with all others of its family (RFC 7009); nothing happens for an unknown one."""
    shown = {"token_checksum": checksum(raw), "application": application}
    refresh_tokens, access_tokens = get_refresh_token_model().objects, get_access_token_model().objects
    access = access_tokens.filter(**shown).select_related("refresh_token").first()
    refresh = getattr(access, "refresh_token", None) if access else refresh_tokens.filter(**shown).first()
    owner = access or refresh
    if owner is None or not _lock(owner.user_id, application.pk):
        return
    if refresh is not None:
        get_refresh_token_model().revoke_family(refresh.token_family)
    access_tokens.filter(**shown).delete()
    connected = {"user_id": owner.user_id, "application": application}
    if not refresh_tokens.filter(**connected, revoked=None).exists():
        Connection.objects.filter(**connected).delete()


def exchange(form: Mapping[str, str], issue: Callable[[], Answer]) -> Answer | None:
    """Run a token request under the lock of its connection; None when what it shows was spent while it waited.

    A redeemed code that is shown again is refused, and ends all tokens that came from it unless the requests are
    duplicates of one another. What a repeated refresh token gets is the validator's decision.
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
    """The account's connections that still hold tokens, the newest first."""
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
    """Whether the account has allowed a client to act for it, and has not ended that."""
    return _live(user).filter(application__client_id=client_id).exists()


def delete_leftovers() -> None:
    """Remove expired codes and tokens, connections without any, and clients that nobody is connected by."""
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
    """Ids of the account and the client that a code or refresh token belongs to; None when there is no such one."""
    if form.get("grant_type") == "refresh_token":
        shown = get_refresh_token_model().objects.filter(token_checksum=checksum(form.get("refresh_token", "")))
    else:
        shown = get_grant_model().objects.filter(code=checksum(form.get("code", "")))
    owner: tuple[int, int] | None = shown.values_list("user_id", "application_id").first()
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
