"""Bearer credentials: making API keys, and the one function that REST and MCP resolve them with."""

import hashlib
import secrets
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from apps.accounts.models import ApiKey, User
from apps.core.resources import Audience
from apps.core.scopes import Scope

KEY_MARK = "slip_"
DEFAULT_LIFETIME = timedelta(days=365)
_LAST_USED_STEP = timedelta(minutes=1)
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Credential:
    """A bearer credential that was found good: who, what it may do, and its name for the version history."""

    user: User
    scopes: frozenset[str]
    name: str


def create_api_key(
    *, user: User, name: str, scopes: Iterable[Scope], expires_at: datetime | None = None
) -> tuple[ApiKey, str]:
    """Make a key; returns the row and the secret, which is shown this once and stored nowhere."""
    raw = _generate()
    token_model = get_access_token_model()
    with transaction.atomic():
        token = token_model(
            user=user,
            expires=expires_at or timezone.now() + DEFAULT_LIFETIME,
            scope=" ".join(sorted(scopes)),
            resource=[str(audience) for audience in Audience],
        )
        token.token_checksum = _checksum(raw)
        token.token = ""
        token.save()
        key = ApiKey.objects.create(token=token, name=name, prefix=raw[:12])
    return key, raw


def revoke_api_key(*, key: ApiKey) -> None:
    """End a key; the very next request with it is refused."""
    key.token.delete()


def resolve_bearer(raw: str, audience: str) -> Credential | None:
    """The credential behind a bearer token, or None when it is unknown, expired, revoked or for elsewhere.

    `audience` is the canonical address of the resource it is shown to. A token of an assistant is bound to one
    address; a key names resources by their paths, and so is good on every host.
    One query, none for a mistyped key; a key's `last_used_at` is written at most once a minute.
    """
    if raw.startswith(KEY_MARK) and not is_well_formed_key(raw):
        return None
    token: Any = (
        get_access_token_model()
        .objects.filter(
            Q(application__isnull=True, api_key__isnull=False) | Q(application__isnull=False),
            token_checksum=_checksum(raw),
            expires__gt=timezone.now(),
            user__is_active=True,
        )
        .select_related("user", "api_key", "application")
        .first()
    )
    if token is None or not {audience, urlsplit(audience).path} & set(token.resource):
        return None
    key: ApiKey | None = getattr(token, "api_key", None)
    if key is not None:
        _note_use(key)
    name = key.name if key else token.application.name
    return Credential(user=token.user, scopes=frozenset(token.scope.split()), name=name)


def is_well_formed_key(raw: str) -> bool:
    """Whether a text is a key of ours by its mark and checksum, without asking the database."""
    body = raw.removeprefix(KEY_MARK)
    return body != raw and len(body) == 38 and body[32:] == _tail(body[:32])


def _generate() -> str:
    body = "".join(secrets.choice(_ALPHABET) for _ in range(32))
    return f"{KEY_MARK}{body}{_tail(body)}"


def _tail(body: str) -> str:
    number, tail = zlib.crc32(body.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, len(_ALPHABET))
        tail = _ALPHABET[digit] + tail
    return tail


def _checksum(raw: str) -> str:
    return hashlib.sha256(raw.encode()).hexdigest()


def _note_use(key: ApiKey) -> None:
    now = timezone.now()
    if key.last_used_at is None or now - key.last_used_at > _LAST_USED_STEP:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
