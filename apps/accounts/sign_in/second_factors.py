"""Names and encryption of passkeys, authenticator apps and recovery codes."""

import base64
import logging
import secrets
from contextlib import suppress
from functools import cache
from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from apps.accounts.models import User
from apps.accounts.sign_in.devices import describe_browser

logger = logging.getLogger(__name__)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth is untyped
    """Encrypt the secrets of apps and recovery codes, and name them after the site."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "cannot_generate_recovery_codes": "Add a passkey or authenticator app before you create recovery codes.",
        "incorrect_code": "Wrong or used code. Enter a new one.",
        "unverified_email": "Verify your email address first.",
        "unknown_passkey": "This passkey did not work. Try again, or sign in another way.",
    }

    def get_totp_issuer(self) -> str:
        return _site_name()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {**super().get_public_key_credential_rp_entity(), "name": _site_name()}

    def generate_authenticator_name(self, user: User, type: object) -> str:  # noqa: A002 - allauth's name for it
        return describe_browser(context.request.headers.get("User-Agent", ""))

    def encrypt(self, text: str) -> str:
        return _box(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret. If SECRET_KEY has changed since, return one that matches no code."""
        try:
            box = _box(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
            return box.decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            logger.warning("the secret of a second factor cannot be read: SECRET_KEY has changed")
            return base64.b32encode(secrets.token_bytes(20)).decode()


def remove_second_factors(*, user: User) -> bool:
    """Remove an account's passkeys, app and recovery codes and email its owner. Returns False if it had none.

    For admins, after someone lost all of them and proved their identity another way.
    """
    removed, _ = Authenticator.objects.filter(user=user).delete()
    if removed:
        with suppress(ImmediateHttpResponse):
            get_account_adapter().send_mail("account/email/second_factors_removed", user.email, {})
    return bool(removed)


def _site_name() -> str:
    site: Any = context.request.site
    return str(site.name)


@cache
def _box(*keys: str) -> MultiFernet:
    def derive(key: str) -> bytes:
        return HKDF(SHA256(), length=32, salt=None, info=b"slipway second factors").derive(key.encode())

    return MultiFernet([Fernet(base64.urlsafe_b64encode(derive(key))) for key in keys])
