"""Secrets and signatures as in the Standard Webhooks specification."""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from apps.core import encryption
from apps.webhooks.models import Endpoint

_PURPOSE = "slipway webhook secrets"
SECRET_PREFIX, PRIVATE_PREFIX, PUBLIC_PREFIX = "whsec_", "whsk_", "whpk_"
_BYTES = 32


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A secret to store, and what its owner needs: the secret itself (v1), or the public key (v1a)."""

    encrypted: str = field(repr=False)
    shown_once: str = field(default="", repr=False)
    public_key: str = ""


def new_secret(signature: str) -> NewSecret:
    """Make a secret of 256 random bits."""
    raw = secrets.token_bytes(_BYTES)
    if signature == Endpoint.Signature.V1:
        secret = SECRET_PREFIX + _base64(raw)
        return NewSecret(encrypted=encryption.encrypt(secret, purpose=_PURPOSE), shown_once=secret)
    public = Ed25519PrivateKey.from_private_bytes(raw).public_key().public_bytes_raw()
    private = PRIVATE_PREFIX + _base64(raw)
    return NewSecret(
        encrypted=encryption.encrypt(private, purpose=_PURPOSE), public_key=PUBLIC_PREFIX + _base64(public)
    )


def signed_headers(endpoint: Endpoint, *, id_: str, body: bytes, now: datetime) -> dict[str, str]:
    """Return the headers of a delivery. For a day, old secrets sign too. Raises UnreadableSecret."""
    timestamp = str(int(now.timestamp()))
    message = b".".join((id_.encode(), timestamp.encode(), body))
    keys = [endpoint.secret, *(secret for secret, _ in endpoint.valid_old_secrets(now))]
    signatures = [_sign(encryption.decrypt(secret, purpose=_PURPOSE), message) for secret in keys]
    return {"webhook-id": id_, "webhook-timestamp": timestamp, "webhook-signature": " ".join(signatures)}


def _sign(secret: str, message: bytes) -> str:
    prefix, _, encoded = secret.partition("_")
    raw = base64.b64decode(encoded)
    if f"{prefix}_" == PRIVATE_PREFIX:
        return f"v1a,{_base64(Ed25519PrivateKey.from_private_bytes(raw).sign(message))}"
    return f"v1,{_base64(hmac.digest(raw, message, hashlib.sha256))}"


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
