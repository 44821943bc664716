"""Client ID metadata documents: fetch a client's metadata from the URL that is its ID."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson
from django.core.cache import cache
from django.core.exceptions import ValidationError
from oauth2_provider.cimd import CIMDError, SafeMetadataFetcher
from oauth2_provider.settings import oauth2_settings
from oauthlib.common import Request

from apps.accounts.api_keys.secret import checksum
from apps.accounts.clients.redirects import MAX_REDIRECT_URIS, check_redirect_uri, clean_client_name, host_of
from apps.accounts.models import Application, User
from apps.accounts.oauth.parameters import sent_metadata
from apps.core.errors import TooManyRequests
from apps.core.fetch import FetchError, Limits, fetch_url
from apps.core.stores.valkey.counters import Limit

MAX_DOCUMENT_BYTES = 16 * 1024
# The length of the client model's identifier.
_PLAIN = re.compile(r"[\x21-\x5b\x5d-\x7e]{1,255}")
_LIMITS = Limits(deadline_seconds=5.0, connect_seconds=1.5, max_redirects=0)
FETCH_LIMIT = Limit("client-documents", count=30, window_seconds=3600)

_UNREACHABLE = "unreachable"
_TOO_MANY = "too many"

_asking: ContextVar[User | None] = ContextVar("asking", default=None)


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """Why a client with a document URL is unknown, and what people can do."""

    detail: str
    advice: str


@contextmanager
def somebody_asks(user: User) -> Iterator[None]:
    """Allow fetching documents within this context, for a signed-in account."""
    token = _asking.set(user)
    try:
        yield
    finally:
        _asking.reset(token)


class WhileSomebodyAsks:
    """The toolkit's check before fetching a document: only from an open consent page."""

    def has_permission(self, request: Request, client_id: str) -> bool:
        user = _asking.get()
        if user is None:
            return False
        try:
            FETCH_LIMIT.take(str(user.pk))
        except TooManyRequests:
            _note_failure(client_id, _TOO_MANY)
            return False
        return True


class DocumentFetcher(SafeMetadataFetcher):
    """The toolkit's fetcher with the safe fetch module, which refuses non-public addresses."""

    def fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        """Return the reduced document and how long to cache it, in seconds.

        Raises CIMDError for an unacceptable URL or document. Doesn't follow redirects.
        """
        try:
            return self._fetch(client_id)
        except CIMDError as error:
            _note_failure(client_id, str(error))
            raise

    def _fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        _check_client_id(client_id)
        try:
            fetched = fetch_url(
                client_id, accept="application/json, application/*+json", max_bytes=MAX_DOCUMENT_BYTES, limits=_LIMITS
            )
        except FetchError:
            raise CIMDError(_UNREACHABLE) from None
        if fetched.status != 200:
            raise CIMDError(f"answered {fetched.status}")
        if not _is_json(fetched.content_type):
            raise CIMDError("is not JSON")
        return read_document(fetched.body, client_id=client_id), _lifetime(fetched.headers.get("cache-control", ""))


def document_problem(client_id: str) -> DocumentProblem | None:
    """Explain why a client is unknown; None if its id is not a document's URL."""
    if not client_id.lower().startswith("https://"):
        return None
    try:
        host = host_of(urlsplit(client_id))
    except ValueError:
        return None
    if not oauth2_settings.CIMD_ENABLED:
        return DocumentProblem(
            f"This site doesn't read client documents, so it can't check the app at {host}.",
            "Connect with an API key, or use an app that registers itself.",
        )
    match cache.get(_failure_key(client_id)):
        case None:
            return None
        case failure if failure == _TOO_MANY:
            return DocumentProblem("You opened too many new apps in the last hour.", "Try again in an hour.")
        case failure if failure == _UNREACHABLE:
            return DocumentProblem(
                f"This site couldn't fetch the app's document from {host}.",
                f"Try again in a minute. If it keeps failing, ask the site's operator to allow outgoing https "
                f"connections to {host} or to turn client documents off. Until then, connect with an API key.",
            )
        case failure:
            return DocumentProblem(
                f"The app's document at {host} can't be used: it {failure}.",
                "The app's developer has to fix it. Until then, connect with an API key.",
            )


def read_document(body: bytes, *, client_id: str) -> dict[str, Any]:
    """Return what matters here of a client's document. Raises CIMDError if it can't be a client of ours.

    Documents are written for all servers, so unsupported grants and forbidden addresses are left out. Asymmetric client
    keys are ignored, because every client here is public.
    """
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise CIMDError("is not valid JSON") from None
    if not isinstance(document, dict) or document.get("client_id") != client_id:
        raise CIMDError("doesn't use its own URL as client_id")
    if "client_secret" in document or "client_secret_expires_at" in document:
        raise CIMDError("must not contain a secret")
    document = sent_metadata(document)
    if document.get("token_endpoint_auth_method", "none") not in ["none", "private_key_jwt"]:
        raise CIMDError("requests a shared secret")
    grants = document.get("grant_types", ["authorization_code"])
    if not isinstance(grants, list) or "authorization_code" not in grants:
        raise CIMDError("doesn't use authorization codes")
    name = document.get("client_name", "")
    return {
        "client_id": client_id,
        "client_name": clean_client_name(name) if isinstance(name, str) else "",
        "redirect_uris": _allowed(document.get("redirect_uris"), host=host_of(urlsplit(client_id))),
        "grant_types": ["authorization_code"],
        "token_endpoint_auth_method": "none",
    }


def _note_failure(client_id: str, failure: str) -> None:
    # As long as the toolkit avoids the URL after a failure.
    cache.set(_failure_key(client_id), failure, oauth2_settings.CIMD_FAILURE_BACKOFF_SECONDS)


def _failure_key(client_id: str) -> str:
    return f"client-document-failure:{checksum(client_id)}"


def _allowed(uris: Any, *, host: str) -> list[str]:
    result: list[str] = []
    for uri in uris if isinstance(uris, list) else []:
        if not isinstance(uri, str):
            continue
        try:
            check_redirect_uri(uri, client_host=host)
            # The toolkit's own rules: one invalid URI would cost the client all others.
            Application(redirect_uris=uri).clean()
        except ValidationError:
            continue
        result.append(uri)
    if not 1 <= len(result) <= MAX_REDIRECT_URIS:
        raise CIMDError(f"needs 1 to {MAX_REDIRECT_URIS} allowed redirect URIs")
    return result


def _check_client_id(client_id: str) -> None:
    # ASCII only: the host is shown as verified, and other letters can look like these.
    if not _PLAIN.fullmatch(client_id):
        raise CIMDError("is not at an acceptable URL")
    try:
        parts = urlsplit(client_id)
    except ValueError:
        raise CIMDError("is not at an acceptable URL") from None
    is_address = parts.scheme == "https" and parts.hostname and parts.path not in {"", "/"}
    segments = parts.path.lower().replace("%2e", ".").split("/")
    if not is_address or "#" in client_id or "@" in parts.netloc or {".", ".."} & set(segments):
        raise CIMDError("is not at an acceptable URL")


def _is_json(media_type: str) -> bool:
    kind, _, subtype = media_type.partition("/")
    return kind == "application" and (subtype == "json" or subtype.endswith("+json"))


def _lifetime(cache_control: str) -> int:
    shortest, longest = oauth2_settings.CIMD_METADATA_MIN_AGE_SECONDS, oauth2_settings.CIMD_METADATA_MAX_AGE_SECONDS
    for directive in cache_control.lower().split(","):
        name, _, value = directive.strip().partition("=")
        if name in {"no-store", "no-cache"}:
            return int(shortest)
        if name == "max-age" and value.isdecimal():
            return int(max(shortest, min(int(value[:9]), longest)))
    return int(longest)
