import base64
import hashlib
import hmac
import re
import time
from collections.abc import Mapping


def is_valid(body: bytes, headers: Mapping[str, str], secret: str) -> bool:
    """Verify a request. `body` is unparsed, header names are in lower case, `secret` begins with whsec_."""
    id_, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = hmac.digest(key, f"{id_}.{timestamp}.".encode() + body, hashlib.sha256)
    for signature in headers.get("webhook-signature", "").split(" "):
        version, _, encoded = signature.partition(",")
        if version == "v1" and hmac.compare_digest(encoded.encode(), base64.b64encode(expected)):
            return True
    return False
