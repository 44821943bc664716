"""Format of API keys: a prefix, 32 random characters and a 6-character checksum."""

import hashlib
import secrets
import zlib
from uuid import UUID


def checksum(secret: str) -> str:
    """Return the SHA-256 hex digest, as the toolkit stores it. Enough for machine-generated secrets."""
    return hashlib.sha256(secret.encode()).hexdigest()


def family_of(code_checksum: str) -> UUID:
    """Return the token family of a code, so that reuse of the code revokes it without a record."""
    return UUID(bytes=bytes.fromhex(code_checksum)[:16])


KEY_MARK = "slip_"
PREFIX_LENGTH = 12
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def generate_key() -> str:
    """Return a new secret with 190 random bits."""
    body = "".join(secrets.choice(_ALPHABET) for _ in range(32))
    return f"{KEY_MARK}{body}{_tail(body)}"


def is_well_formed_key(raw: str) -> bool:
    """Return whether a text has a key's prefix and checksum. Needs no database."""
    body = raw.removeprefix(KEY_MARK)
    return body != raw and len(body) == 38 and body[32:] == _tail(body[:32])


def _tail(body: str) -> str:
    number, tail = zlib.crc32(body.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, len(_ALPHABET))
        tail = _ALPHABET[digit] + tail
    return tail
