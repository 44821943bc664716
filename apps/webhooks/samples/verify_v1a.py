import base64
import re
import time
from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def is_valid(body: bytes, headers: Mapping[str, str], public_key: str) -> bool:
    """Verify a request. `body` is unparsed, header names are in lower case, `public_key` begins with whpk_."""
    id_, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_")))
    for signature in headers.get("webhook-signature", "").split(" "):
        version, _, encoded = signature.partition(",")
        if version != "v1a":
            continue
        try:
            key.verify(base64.b64decode(encoded), f"{id_}.{timestamp}.".encode() + body)
        except (InvalidSignature, ValueError):
            continue
        return True
    return False
