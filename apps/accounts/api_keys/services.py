"""Create, rotate and revoke API keys."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from oauth2_provider.models import get_access_token_model

from apps.accounts.api_keys.secret import PREFIX_LENGTH, checksum, generate_key
from apps.accounts.models import ApiKey, User
from apps.core.api.audience import Audience
from apps.core.api.scopes import Scope
from apps.core.api.serializers import clean_text
from apps.core.errors import Conflict, Unprocessable

MAX_ACTIVE_KEYS = 25
# Rotated keys stay valid beside their successors for this long.
MAX_GOOD_KEYS = 2 * MAX_ACTIVE_KEYS
MAX_NAME_LENGTH = 60
DEFAULT_LIFETIME = timedelta(days=365)
# A year, to the end of the chosen day.
MAX_LIFETIME = timedelta(days=366)
DEFAULT_OVERLAP = timedelta(days=1)
MAX_OVERLAP = timedelta(days=7)


class TooManyKeys(Conflict):
    """409: the account has reached its limit of active keys."""

    code = "too_many_keys"


class KeyAlreadyMade(Conflict):
    """409: the form was already sent. Its key exists, and its secret can't be shown again."""

    code = "key_already_made"


class KeyHasEnded(Conflict):
    """409: a revoked, expired or replaced key can't be rotated."""

    code = "key_has_ended"


def create_api_key(
    *,
    user: User,
    name: str,
    scopes: Iterable[Scope],
    expires_at: datetime | None = None,
    form_token: UUID | None = None,
) -> tuple[ApiKey, str]:
    """Create a key. Returns the row and the secret, which is shown once and never stored.

    `form_token` identifies a form, so resubmissions create only one key. Raises Unprocessable (422) for an invalid
    name, scopes or expiry, and TooManyKeys or KeyAlreadyMade (409).
    """
    now = timezone.now()
    expires_at = expires_at or now + DEFAULT_LIFETIME
    name, scope = _clean_name(name), _clean_scopes(scopes)
    if not now < expires_at <= now + MAX_LIFETIME:
        raise Unprocessable("Choose an expiration date in the future, up to one year ahead.", code="wrong_expiry")
    with transaction.atomic():
        User.objects.lock(user.pk)
        if form_token and (made := ApiKey.objects.filter(form_token=form_token).first()):
            raise KeyAlreadyMade(
                f"You already created the key {made.name} with this form. If you didn't copy the "
                "secret, rotate the key."
            )
        if ApiKey.objects.visible_to(user).active().count() >= MAX_ACTIVE_KEYS:
            raise TooManyKeys(f"You have {MAX_ACTIVE_KEYS} active keys, the maximum. Revoke one you no longer need.")
        return _make(user=user, name=name, scope=scope, expires_at=expires_at, form_token=form_token)


def rotate_api_key(*, key: ApiKey, overlap: timedelta = DEFAULT_OVERLAP) -> tuple[ApiKey, str]:
    """Create a successor with the same name, scopes and lifetime. The old key ends after the overlap.

    Returns the successor and its secret. `overlap` is 0 to 7 days. Raises KeyHasEnded (409) for a revoked, expired or
    replaced key, TooManyKeys (409), and Unprocessable (422) for another overlap.
    """
    if not timedelta(0) <= overlap <= MAX_OVERLAP:
        raise Unprocessable("The old key can stay valid for up to 7 days.", code="wrong_overlap")
    with transaction.atomic():
        user: User = key.user
        User.objects.lock(user.pk)
        old: ApiKey = ApiKey.objects.select_for_update().get(pk=key.pk)
        check_can_be_rotated(old)
        if overlap and ApiKey.objects.visible_to(user).good().count() >= MAX_GOOD_KEYS:
            raise TooManyKeys("Too many replaced keys are still valid. Revoke some, or rotate without an overlap.")
        now = timezone.now()
        lifetime = old.expires_at - old.created_at
        new, secret = _make(user=user, name=old.name, scope=old.scope, expires_at=now + lifetime)
        old.expires_at = min(old.expires_at, now + overlap)
        old.replaced_by = new
        old.save(update_fields=["expires_at", "replaced_by"])
        get_access_token_model().objects.filter(pk=old.token_id).update(expires=old.expires_at)
    return new, secret


def check_can_be_rotated(key: ApiKey) -> None:
    """Raise KeyHasEnded (409) for a revoked, expired or replaced key."""
    if not key.can_be_rotated:
        raise KeyHasEnded(f"The key {key.name} is {key.state} and can't be rotated. Create a new one.")


def revoke_api_key(*, key: ApiKey) -> bool:
    """Revoke a key. Its next request is refused. Returns whether this call ended it."""
    with transaction.atomic():
        result: ApiKey = ApiKey.objects.select_for_update().get(pk=key.pk)
        if result.revoked_at is not None:
            return False
        token_id, result.token = result.token_id, None
        result.revoked_at = timezone.now()
        result.save(update_fields=["token", "revoked_at"])
        get_access_token_model().objects.filter(pk=token_id).delete()
    return True


def _make(
    *, user: User, name: str, scope: str, expires_at: datetime, form_token: UUID | None = None
) -> tuple[ApiKey, str]:
    raw = generate_key()
    token = get_access_token_model()(
        user=user, expires=expires_at, scope=scope, resource=[str(audience) for audience in Audience]
    )
    token.token_checksum = checksum(raw)
    token.token = ""
    token.save()
    key = ApiKey.objects.create(
        user=user,
        token=token,
        name=name,
        scope=scope,
        prefix=raw[:PREFIX_LENGTH],
        expires_at=expires_at,
        form_token=form_token,
    )
    return key, raw


def _clean_name(name: str) -> str:
    name = clean_text(name)
    if not any(char.isalnum() for char in name) or len(name) > MAX_NAME_LENGTH:
        raise Unprocessable(f"Give the key a name of 1 to {MAX_NAME_LENGTH} characters.", code="wrong_name")
    return name


def _clean_scopes(scopes: Iterable[Scope]) -> str:
    chosen = sorted({Scope(scope) for scope in scopes})
    if not chosen:
        raise Unprocessable("Choose at least one permission for the key.", code="no_scope")
    return " ".join(chosen)
