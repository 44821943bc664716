"""Names and encryption of passkeys, authenticator apps and recovery codes."""

import base64
import logging
import secrets
from contextlib import suppress
from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator

from apps.accounts.models import User
from apps.accounts.sign_in.devices import describe_browser
from apps.core import encryption

logger = logging.getLogger(__name__)
_PURPOSE = "slipway second factors"


class SecondFactorAdapter(DefaultMFAAdapter):
    """Encrypt the secrets of apps and recovery codes, and name them after the site."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "cannot_generate_recovery_codes": "Add a passkey or authenticator app before you create recovery codes.",
        "incorrect_code": "Wrong or used code. Enter a new one.",
        "unverified_email": "Verify your email address first.",
        "unknown_passkey": "This passkey didn't work. Try again, or sign in another way.",
    }

    def get_totp_issuer(self) -> str:
        return _site_name()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {**super().get_public_key_credential_rp_entity(), "name": _site_name()}

    def generate_authenticator_name(self, user: User, type: object) -> str:  # noqa: A002 - allauth's name for it
        return describe_browser(context.request.headers.get("User-Agent", ""))

    def encrypt(self, text: str) -> str:
        return encryption.encrypt(text, purpose=_PURPOSE)

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret. If SECRET_KEY has changed since, return one that matches no code."""
        try:
            return encryption.decrypt(encrypted_text, purpose=_PURPOSE)
        except encryption.UnreadableSecret:
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
