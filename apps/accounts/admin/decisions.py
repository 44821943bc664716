"""The site team's decisions on accounts, their keys and the clients they connect, as pages ask for them."""

from collections.abc import Mapping
from typing import Any

from allauth.mfa.models import Authenticator
from django.http import HttpRequest

from apps.accounts.api_keys.services import revoke_api_key
from apps.accounts.models import ApiKey, Application, User
from apps.accounts.sign_in.second_factors import remove_second_factors
from apps.core.admin.decisions import Decision
from apps.core.dates import moment_text
from apps.core.errors import Conflict, Forbidden

_HAS_NONE = "The account signs in by its password alone."
_IS_REVOKED = "The key is revoked already."


def _has_none(user: User) -> str:
    return "" if Authenticator.objects.filter(user=user).exists() else _HAS_NONE


def _set_active(client: Application, *, is_active: bool) -> None:
    client.is_active = is_active
    client.save(update_fields=["is_active"])


def _remove(user: User, values: Mapping[str, Any], request: HttpRequest) -> None:
    if user.is_staff and not (isinstance(request.user, User) and request.user.is_superuser):
        raise Forbidden("Only a superuser does this for somebody in the site team.")
    if not remove_second_factors(user=user):
        raise Conflict(_HAS_NONE, code="no_second_factors")


def _revoke(key: ApiKey, values: Mapping[str, Any], request: HttpRequest) -> None:
    if not revoke_api_key(key=key):
        raise Conflict(_IS_REVOKED, code="key_is_revoked")


REMOVE_SECOND_FACTORS = Decision(
    title="Remove passkeys, app and recovery codes",
    explanation=[
        "The account then signs in by its password alone. An email tells its owner.",
        "Do this for somebody who has lost them all, once they have proven some other way who they are.",
    ],
    done="Accounts that now sign in by their password alone",
    decide=_remove,
    why_not=_has_none,
    is_dangerous=True,
)
REVOKE = Decision(
    title="Revoke",
    explanation=[
        "The very next request with the key is refused. Its owner makes a new one; there is no way back.",
        "Do this for a key that was found in public.",
    ],
    done="Keys that were revoked",
    decide=_revoke,
    why_not=lambda key: _IS_REVOKED if key.revoked_at else "",
    effects=lambda key: [f"It belongs to {key.user}. {_last_used(key)}"],
    is_dangerous=True,
)
BLOCK = Decision(
    title="Block",
    explanation=["Nobody can connect by this client any more, and the access that it has is refused until allowed."],
    done="Clients blocked",
    decide=lambda client, values, request: _set_active(client, is_active=False),
    why_not=lambda client: "" if client.is_active else "The client is blocked already.",
    effects=lambda client: [f"Accounts that have connected it: {client.connections.count()}."],
    is_dangerous=True,
)
ALLOW = Decision(
    title="Allow again",
    explanation=["People can connect by this client again."],
    done="Clients allowed",
    decide=lambda client, values, request: _set_active(client, is_active=True),
    why_not=lambda client: "The client is not blocked." if client.is_active else "",
)


def _last_used(key: ApiKey) -> str:
    return f"Last used {moment_text(key.last_used_at)}." if key.last_used_at else "Never used."
