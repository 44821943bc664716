"""Dynamic client registration (RFC 7591): open to all, with no trust in what clients claim."""

from typing import Any

from django.core.exceptions import ValidationError

from apps.accounts.clients.redirects import clean_client_name, join_redirect_uris
from apps.accounts.models import Application
from apps.accounts.oauth.parameters import sent_metadata
from apps.core.stores.valkey.counters import Limit

MAX_REGISTRATION_BYTES = 8 * 1024
REGISTRATION_LIMIT = Limit("registrations", count=120, window_seconds=3600)


class RegistrationError(Exception):
    """A refused registration. `code` is from RFC 7591, section 3.2.2."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def register_client(metadata: dict[str, Any]) -> Application:
    """Register a public client. Raises RegistrationError.

    Whatever it asks for, it gets the authorization code grant with PKCE and no secret, as the response says.
    """
    metadata = sent_metadata(metadata)
    uris = _texts(metadata, "redirect_uris", default=[])
    grants = _texts(metadata, "grant_types", default=["authorization_code"])
    if "authorization_code" not in grants:
        raise RegistrationError("invalid_client_metadata", "Include authorization_code in grant_types.")
    if "code" not in _texts(metadata, "response_types", default=["code"]):
        raise RegistrationError("invalid_client_metadata", "Include code in response_types.")
    name = metadata.get("client_name", "")
    if not isinstance(name, str):
        raise RegistrationError("invalid_client_metadata", "Send client_name as a string.")
    try:
        joined = join_redirect_uris(uris)
    except ValidationError as error:
        raise RegistrationError("invalid_redirect_uri", error.messages[0]) from None
    client = Application(
        name=clean_client_name(name),
        redirect_uris=joined,
        registration_source=Application.RegistrationSource.DCR,
    )
    try:
        client.full_clean()
    except ValidationError as error:
        raise RegistrationError("invalid_client_metadata", error.messages[0]) from None
    client.save()
    return client


def _texts(metadata: dict[str, Any], name: str, *, default: list[str]) -> list[str]:
    values = metadata.get(name, default)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise RegistrationError("invalid_client_metadata", f"Send {name} as an array of strings.")
    return values
