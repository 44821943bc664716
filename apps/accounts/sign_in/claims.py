"""Read an OpenID Connect server's claims about groups and second factors."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpRequest

from apps.accounts.models import User

logger = logging.getLogger(__name__)

_SECOND_FACTOR = "second_factor_at_provider"


def subject(extra_data: Mapping[str, Any]) -> str:
    """Return who signed in. Raises ValueError if the user info names nobody, or another person than the ID token."""
    subjects = {
        str(part.get("sub") or "") for name in ("id_token", "userinfo") if (part := extra_data.get(name)) is not None
    }
    if len(subjects) != 1 or "" in subjects:
        raise ValueError("The ID token and the user info must have the same sub.")
    return subjects.pop()


def used_claims(extra_data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the used claims of ID token and user info. Only the ID token can say how the person signed in."""
    token, info = extra_data.get("id_token") or {}, extra_data.get("userinfo") or {}
    claimed = {*_texts(_find(token, settings.OIDC_GROUPS_CLAIM)), *_texts(_find(info, settings.OIDC_GROUPS_CLAIM))}
    used = {*_texts(token.get("amr")), *_texts(token.get("acr"))}
    return {
        "groups": sorted(claimed & settings.OIDC_GROUPS.keys()),
        "second_factor": not used.isdisjoint(settings.OIDC_SECOND_FACTOR),
    }


def apply_claims(request: HttpRequest, user: User, login: SocialLogin) -> None:
    """Update the groups of a person who has signed in, and note a second factor in the session."""
    claims = login.account.extra_data
    if "groups" not in claims:
        return
    request.session[_SECOND_FACTOR] = bool(claims.get("second_factor"))
    set_groups(
        user=user, names={settings.OIDC_GROUPS[each] for each in claims["groups"] if each in settings.OIDC_GROUPS}
    )


def had_second_factor(request: HttpRequest) -> bool:
    """Return whether the provider asked for a second factor when this session began."""
    return bool(request.session.get(_SECOND_FACTOR))


@transaction.atomic
def set_groups(*, user: User, names: set[str]) -> None:
    """Set which of the groups in OIDC_GROUPS an account belongs to. Members are site admins.

    An account that loses its last group is no longer a site admin, unless it is a superuser.
    """
    managed = Group.objects.filter(name__in=settings.OIDC_GROUPS.values())
    known = {group.name: group for group in managed}
    if missing := names - known.keys():
        logger.warning("groups that OIDC_GROUPS names are missing", extra={"groups": sorted(missing)})
    before = set(user.groups.filter(pk__in=managed).values_list("name", flat=True))
    after = names & known.keys()
    user.groups.add(*(known[name] for name in after - before))
    user.groups.remove(*(known[name] for name in before - after))
    is_staff = bool(after) or user.is_superuser or (user.is_staff and (not before or user.groups.exists()))
    if before == after and is_staff == user.is_staff:
        return
    user.is_staff = is_staff
    user.save(update_fields=["is_staff"])
    changes = ", ".join(
        [*(f"+{name}" for name in sorted(after - before)), *(f"-{name}" for name in sorted(before - after))]
    )
    LogEntry.objects.log_actions(user.pk, [user], CHANGE, change_message=f"Groups by single sign-on: {changes}")


def _find(claims: Mapping[str, Any], name: str) -> Any:
    """Return a claim by its name, or by a path such as realm_access.roles."""
    result: Any = claims
    for part in [name] if name in claims else name.split("."):
        result = result.get(part) if isinstance(result, Mapping) else None
    return result


def _texts(value: Any) -> Iterable[str]:
    """Return the texts of a claim that is one text or a list."""
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str)]
