"""Rules for a client's redirect URIs and name."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from urllib.parse import SplitResult, parse_qsl, urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http.request import validate_host

MAX_REDIRECT_URIS = 10
MAX_URI_CHARACTERS = 1000
MAX_NAME_CHARACTERS = 80
# Custom schemes of known editors and desktop programs. Any other scheme could run code.
APP_SCHEMES = frozenset({"claude", "cursor", "raycast", "vscode", "vscode-insiders", "vscodium", "windsurf", "zed"})
LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})

_ANSWERS = frozenset({"code", "error", "error_description", "error_uri", "iss", "state"})
_PLAIN = re.compile(r"[\x21-\x7e]+")
# Invisible letters and marks: fillers, empty Braille, variation selectors.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_LOOPBACK_ADDRESS = re.compile(r"(http://(?:127\.0\.0\.1|\[::1\]|localhost))(|:[0-9]{1,5})(|[/?].*)", re.DOTALL)
_WEB_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]", re.IGNORECASE)


def join_redirect_uris(uris: Sequence[str], *, client_host: str | None = None) -> str:
    """Return the URIs as stored by the client model, separated by spaces.

    Raises ValidationError for a forbidden URI, none, or too many.
    """
    if not 1 <= len(uris) <= MAX_REDIRECT_URIS:
        raise ValidationError(f"Send 1 to {MAX_REDIRECT_URIS} redirect_uris.")
    for uri in uris:
        check_redirect_uri(uri, client_host=client_host)
    return " ".join(uris)


def check_redirect_uri(uri: str, *, client_host: str | None = None) -> None:
    """Raise ValidationError for a URI that must not receive authorization codes.

    Allowed are https on foreign hosts, http on loopback names, and the schemes of known programs. With `client_host`,
    for a client with a metadata document, https must use that host and port.
    """
    if len(uri) > MAX_URI_CHARACTERS or not _PLAIN.fullmatch(uri) or "\\" in uri:
        raise _refused(f"must be printable ASCII without spaces, at most {MAX_URI_CHARACTERS} characters")
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        raise _refused("must be a valid absolute URI") from None
    if "#" in uri or "@" in parts.netloc or "*" in parts.netloc:
        raise _refused("must not have a fragment, credentials or a wildcard")
    if _ANSWERS & {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}:
        raise _refused("must not use the names of response parameters, such as code and state")
    _check_scheme(parts, client_host)
    if _is_ours(parts, port):
        raise _refused("must not point to this service")


def is_redirect_uri(uri: str) -> bool:
    """Return whether authorization codes may be sent to a URI."""
    try:
        check_redirect_uri(uri)
    except ValidationError:
        return False
    return True


def matches_registered(uri: str, *, registered: Sequence[str]) -> bool:
    """Return whether a URI is registered, compared character by character (RFC 9700, section 4.1.3).

    Only http loopback URIs may differ in the port, because programs listen on any free one (RFC 8252, 7.3), and in the
    slash of the root path, which URL libraries add (RFC 3986, 6.2.3).
    """
    return any(_without_port(uri) == _without_port(one) for one in registered)


def is_same_redirect_uri(one: str, other: str) -> bool:
    """Return whether two URIs are equal, apart from the slash of an http loopback URI's root path."""
    return _with_root(one) == _with_root(other)


def host_of(parts: SplitResult) -> str:
    """Return an https URL's host in lower case, with any non-default port."""
    host = parts.hostname or ""
    return host if parts.port in {None, 443} else f"{host}:{parts.port}"


def is_loopback(uri: str) -> bool:
    """Return whether a URI leads to the person's own computer by a loopback name."""
    parts = urlsplit(uri)
    return parts.scheme in {"http", "https"} and parts.hostname in LOOPBACK_HOSTS


def clean_client_name(name: str) -> str:
    """Return a client's name for display: NFKC, one line, at most 80 visible characters, no direction marks."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", name))
    printable = "".join(char for char in text if unicodedata.category(char)[0] != "C" or char.isspace())
    return " ".join("".join(_unstacked(printable)).split())[:MAX_NAME_CHARACTERS].rstrip()


def _with_root(uri: str) -> str:
    result = _LOOPBACK_ADDRESS.fullmatch(uri)
    if result is None or result[3].startswith("/"):
        return uri
    return f"{result[1]}{result[2]}/{result[3]}"


def _without_port(uri: str) -> tuple[str, str] | str:
    result = _LOOPBACK_ADDRESS.fullmatch(_with_root(uri))
    return (result[1], result[3]) if result else uri


def _unstacked(text: str) -> Iterator[str]:
    """Drop the third and further marks on a letter, which would overlap other lines."""
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        if marks <= 2:
            yield char


def _check_scheme(parts: SplitResult, client_host: str | None) -> None:
    match parts.scheme:
        case "https":
            _check_web(parts, client_host)
        case "http":
            _check_loopback(parts)
        case scheme if scheme in APP_SCHEMES:
            if not (parts.netloc or parts.path.strip("/")):
                raise _refused("must have a path")
        case _:
            raise _refused("must use https, http on a loopback host, or the scheme of a known program")


def _check_web(parts: SplitResult, client_host: str | None) -> None:
    host = parts.hostname or ""
    if host in LOOPBACK_HOSTS:
        return
    if not _WEB_HOST.fullmatch(host):
        raise _refused("must name a host by its full domain name")
    if client_host is not None and host_of(parts) != client_host:
        raise _refused("must use the host and port of the client's metadata document")


def _check_loopback(parts: SplitResult) -> None:
    if parts.hostname not in LOOPBACK_HOSTS:
        raise _refused("can use http only on 127.0.0.1, [::1] or localhost")


def _is_ours(parts: SplitResult, port: int | None) -> bool:
    host = parts.hostname or ""
    if host in LOOPBACK_HOSTS:
        # The port tells programs on the same computer apart.
        public = urlsplit(settings.PUBLIC_BASE_URL)
        return settings.IS_LOOPBACK and port is not None and port == (public.port or 80)
    hosts = [name for name in settings.ALLOWED_HOSTS if name != "*"]
    return validate_host(host, [*hosts, settings.PUBLIC_HOST])


def _refused(reason: str) -> ValidationError:
    return ValidationError(f"A redirect URI {reason}.", code="invalid_redirect_uri")
