"""A passkey in software: answers a page's options as a browser with an authenticator does."""

import base64
import hashlib
import json
import secrets
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

ORIGIN = "http://testserver.localhost"
_FLAGS = AuthenticatorData.FLAG
_HERE = _FLAGS.UP | _FLAGS.UV


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class SoftPasskey:
    """One key for one account; `origin` is the page's, `verifies` whether the person proves who they are."""

    def __init__(self, *, origin: str = ORIGIN, verifies: bool = True) -> None:
        self.origin = origin
        self.flags = _HERE if verifies else _FLAGS.UP
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.credential_id = secrets.token_bytes(32)
        self.user_handle = ""

    def create(self, options: dict[str, Any]) -> str:
        """The answer to creation options, as the form sends it."""
        public = options["publicKey"]
        self.user_handle = public["user"]["id"]
        public_key = ES256.from_cryptography_key(self.key.public_key())  # type: ignore[no-untyped-call]  # fido2's own
        data = AttestedCredentialData.create(bytes(16), self.credential_id, public_key)
        rp_hash = hashlib.sha256(public["rp"]["id"].encode()).digest()
        auth_data = AuthenticatorData.create(rp_hash, self.flags | _FLAGS.AT, 0, data)
        response = {
            "clientDataJSON": text(self._client_data("webauthn.create", public["challenge"])),
            "attestationObject": text(AttestationObject.create("none", auth_data, {})),
        }
        answer = self._answer(response)
        return json.dumps(answer | {"clientExtensionResults": {"credProps": {"rk": True}}})

    def get(self, options: dict[str, Any], *, rp_id: str = "") -> str:
        """The answer to request options, as the form sends it."""
        public = options["publicKey"]
        client_data = self._client_data("webauthn.get", public["challenge"])
        rp_hash = hashlib.sha256((rp_id or public["rpId"]).encode()).digest()
        auth_data = AuthenticatorData.create(rp_hash, self.flags, 1)
        signed = auth_data + hashlib.sha256(client_data).digest()
        response = {
            "clientDataJSON": text(client_data),
            "authenticatorData": text(auth_data),
            "signature": text(self.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
            "userHandle": self.user_handle,
        }
        return json.dumps(self._answer(response))

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return bytes(CollectedClientData.create(kind, challenge, self.origin))

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        name = text(self.credential_id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}
