"""Confirmed admin decisions on accounts, keys and clients."""

from collections.abc import Mapping
from typing import Any

from allauth.mfa.models import Authenticator
from django.http import HttpRequest

from apps.accounts.api_keys.services import revoke_api_key
from apps.accounts.models import ApiKey, Application, User
from apps.accounts.own_data.deletion import cancel_deletion, schedule_deletion, why_not_deletable
from apps.accounts.own_data.exports import request_data_export
from apps.accounts.sign_in.second_factors import remove_second_factors
from apps.core.admin.decisions import Decision
from apps.core.errors import Conflict, Forbidden
from apps.core.text.dates import moment_text

_HAS_NONE = "The account has no two-step verification."
_IS_REVOKED = "Already revoked."


def _has_none(user: User) -> str:
    return "" if Authenticator.objects.filter(user=user).exists() else _HAS_NONE


def _set_active(client: Application, *, is_active: bool) -> None:
    client.is_active = is_active
    client.save(update_fields=["is_active"])


def _remove(user: User, values: Mapping[str, Any], request: HttpRequest) -> None:
    if user.is_staff and not (isinstance(request.user, User) and request.user.is_superuser):
        raise Forbidden("Only a superuser can do this for a site admin.")
    if not remove_second_factors(user=user):
        raise Conflict(_HAS_NONE, code="no_second_factors")


def _revoke(key: ApiKey, values: Mapping[str, Any], request: HttpRequest) -> None:
    if not revoke_api_key(key=key):
        raise Conflict(_IS_REVOKED, code="key_is_revoked")


REMOVE_SECOND_FACTORS = Decision(
    title="Remove two-step verification",
    explanation=[
        "The account then signs in with its password only. The owner gets an email.",
        "Use this if someone lost their second factors and confirmed their identity another way.",
    ],
    done="Two-step verification removed",
    decide=_remove,
    why_not=_has_none,
    is_dangerous=True,
)
EXPORT_DATA = Decision(
    title="Send data export",
    explanation=["The owner gets an email with a link that works for 3 days, after signing in."],
    done="Data exports requested",
    decide=lambda user, values, request: request_data_export(user=user),
    why_not=lambda user: "" if user.is_active else "The account is closed.",
)
DELETE_ACCOUNT = Decision(
    title="Delete account",
    explanation=[
        "The account is deleted in 14 days. Its owner gets an email and can keep it until then.",
        "Its listings are archived. Orders and invoices stay under a pseudonym.",
    ],
    done="Deletions scheduled",
    decide=lambda user, values, request: schedule_deletion(user=user),
    why_not=lambda user: why_not_deletable(user) or ("Already scheduled." if user.deletion_due_at else ""),
    effects=lambda user: [f"Companies: {user.companies.count()}. Orders: {user.orders.count()}."],
    is_dangerous=True,
)
KEEP_ACCOUNT = Decision(
    title="Keep account",
    explanation=["The account is not deleted. The owner gets an email."],
    done="Accounts kept",
    decide=lambda user, values, request: cancel_deletion(user=user),
    why_not=lambda user: "" if user.deletion_due_at and not user.erased_at else "No deletion is scheduled.",
)
REVOKE = Decision(
    title="Revoke",
    explanation=[
        "The key stops working immediately. You can't undo this.",
        "Use this for leaked keys.",
    ],
    done="Keys revoked",
    decide=_revoke,
    why_not=lambda key: _IS_REVOKED if key.revoked_at else "",
    effects=lambda key: [f"Owner: {key.user}. {_last_used(key)}"],
    is_dangerous=True,
)
BLOCK = Decision(
    title="Block",
    explanation=["Nobody can connect with this client. Existing access stops working until you allow it again."],
    done="Clients blocked",
    decide=lambda client, values, request: _set_active(client, is_active=False),
    why_not=lambda client: "" if client.is_active else "Already blocked.",
    effects=lambda client: [f"Connected accounts: {client.connections.count()}"],
    is_dangerous=True,
)
ALLOW = Decision(
    title="Allow again",
    explanation=["People can connect with this client again."],
    done="Clients allowed",
    decide=lambda client, values, request: _set_active(client, is_active=True),
    why_not=lambda client: "Not blocked." if client.is_active else "",
)


def _last_used(key: ApiKey) -> str:
    return f"Last used {moment_text(key.last_used_at)}." if key.last_used_at else "Never used."
