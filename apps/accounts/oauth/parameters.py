"""Read the parameters of OAuth requests as RFC 6749 says: without empty ones and scopes that don't exist here."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpRequest

from apps.core.api.scopes import OWNER_SCOPES

Parameters = list[tuple[str, str]]
# What OpenID Connect defines. Many clients request it from every server.
_OPENID_SCOPES = frozenset({"address", "email", "offline_access", "openid", "phone", "profile"})


def sent_parameters(pairs: Iterable[tuple[str, str]]) -> Parameters:
    """Return the parameters that have a value (sections 3.1 and 3.2), and of the scopes those that exist (3.3).

    Raises ValueError for a repeated parameter or a NUL character. Only the resource may be repeated (RFC 8707).
    """
    known = [(name, _known_scopes(value) if name == "scope" else value) for name, value in pairs]
    sent = [(name, value) for name, value in known if value]
    names = [name for name, _ in sent if name != "resource"]
    if len(names) != len(set(names)):
        raise ValueError("Send each parameter once.")
    if any("\x00" in text for pair in sent for text in pair):
        raise ValueError("Remove the NUL character from the parameters.")
    return sent


def form_parameters(request: HttpRequest) -> Parameters:
    """Return `sent_parameters` of a form. Raises what Django raises for one that is too large."""
    return sent_parameters((name, value) for name, values in request.POST.lists() for value in values)


def sent_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return a client's metadata without members that have no value."""
    return {name: value for name, value in metadata.items() if value not in (None, "", [])}


def _known_scopes(text: str) -> str:
    """Return the scopes that exist here, or unknown ones, which are refused, if there are only such.

    Those of OpenID Connect alone count as none, so that the default applies.
    """
    requested = [scope for scope in text.split() if scope not in _OPENID_SCOPES]
    return " ".join([scope for scope in requested if scope in OWNER_SCOPES] or requested)
