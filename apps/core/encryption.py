"""Encrypt secrets that the service has to read again, with keys that it derives from SECRET_KEY."""

import base64
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class UnreadableSecret(Exception):  # noqa: N818 - states what is wrong
    """SECRET_KEY has changed since the secret was encrypted, and isn't in SECRET_KEY_FALLBACKS."""


def encrypt(text: str, *, purpose: str) -> str:
    """Encrypt a text. Each purpose has its own key."""
    return _box(purpose, settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS).encrypt(text.encode()).decode()


def decrypt(encrypted: str, *, purpose: str) -> str:
    """Return a text that was encrypted for the same purpose. Raises UnreadableSecret."""
    try:
        box = _box(purpose, settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
        return box.decrypt(encrypted.encode()).decode()
    except InvalidToken:
        raise UnreadableSecret from None


@cache
def _box(purpose: str, *keys: str) -> MultiFernet:
    def derive(key: str) -> bytes:
        return HKDF(SHA256(), length=32, salt=None, info=purpose.encode()).derive(key.encode())

    return MultiFernet([Fernet(base64.urlsafe_b64encode(derive(key))) for key in keys])
