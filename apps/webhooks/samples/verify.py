import base64
import hashlib
import hmac
import time


def is_valid(body: bytes, headers: dict[str, str], secret: str) -> bool:
    """Verify a request. `body` is unparsed, header names are in lower case, `secret` begins with whsec_."""
    id_, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = hmac.digest(key, f"{id_}.{timestamp}.".encode() + body, hashlib.sha256)
    for signature in headers["webhook-signature"].split(" "):
        version, _, encoded = signature.partition(",")
        if version == "v1" and hmac.compare_digest(encoded.encode(), base64.b64encode(expected)):
            return True
    return False
