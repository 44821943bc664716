"""Resolve bearer credentials for REST and MCP."""

from datetime import datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from apps.accounts.actors import Credential
from apps.accounts.api_keys.secret import KEY_MARK, checksum, is_well_formed_key
from apps.accounts.models import ApiKey, Connection
from apps.core.stores.postgresql.instances import Instances
from apps.core.stores.postgresql.statements import Parameter

_LAST_USED_STEP = timedelta(minutes=1)


def resolve_bearer(raw: str, audience: str) -> Credential | None:
    """Return the credential of a bearer token, or None if it is unknown, expired, revoked or for another resource.

    `audience` is the canonical URL of the resource. An assistant's token is bound to one URL. A key names resources by
    path, so it works on every host. Takes one query, and none for a mistyped key. The last use is saved at most once a
    minute.
    """
    if raw.startswith(KEY_MARK) and not is_well_formed_key(raw):
        return None
    token = _find(raw)
    if token is None:
        return None
    key: ApiKey | None = getattr(token, "api_key", None)
    if (audience if key is None else urlsplit(audience).path) not in token.resource:
        return None
    _note_use(token, key)
    return Credential(
        user=token.user,
        scopes=frozenset(token.scope.split()),
        name=key.name if key else token.application.label,
        counted_as=f"key:{key.pk}" if key else f"connection:{token.user_id}:{token.application_id}",
        is_key=key is not None,
    )


def _find(raw: str) -> Any:
    """Return an active key's or client's token, a client's with `connection_used_at`."""
    return _usable().first(checksum=checksum(raw), now=timezone.now())


@cache
def _usable() -> Instances[Any]:
    connection = Connection.objects.filter(user=OuterRef("user"), application=OuterRef("application"))
    tokens: Any = (
        get_access_token_model()
        .objects.filter(
            Q(application__isnull=True, api_key__revoked_at__isnull=True, api_key__isnull=False)
            | Q(application__is_active=True),
            user__is_active=True,
            token_checksum=Parameter("checksum"),
            expires__gt=Parameter("now"),
        )
        .annotate(connection_used_at=Subquery(connection.values("last_used_at")))
        .select_related("user", "api_key", "application")
    )
    return Instances(tokens)


def _note_use(token: Any, key: ApiKey | None) -> None:
    before: datetime | None = key.last_used_at if key else token.connection_used_at
    now = timezone.now()
    if before is not None and now - before <= _LAST_USED_STEP:
        return
    if key is not None:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
    else:
        Connection.objects.filter(user=token.user_id, application=token.application_id).update(last_used_at=now)
