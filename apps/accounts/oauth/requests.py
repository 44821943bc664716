"""Check authorization requests, and store them while the account decides."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from oauth2_provider.oauth2_backends import get_oauthlib_core
from oauthlib.common import add_params_to_uri
from oauthlib.oauth2 import FatalClientError, OAuth2Error

from apps.accounts.api_keys.secret import checksum
from apps.accounts.models import Application, User
from apps.accounts.oauth.connections import allow
from apps.accounts.oauth.documents import document_problem
from apps.accounts.oauth.parameters import Parameters, sent_parameters
from apps.accounts.oauth.server import bound_resource, explain, is_s256
from apps.core.api.scopes import Scope

MAX_QUERY_CHARACTERS = 8000
MAX_PARAMETERS = 40
TICKET_SECONDS = 15 * 60


class BrokenRequestError(Exception):
    """A request that can't be answered by a redirect, because its client or URI isn't trusted.

    `advice` says what to do instead of connecting again.
    """

    def __init__(self, detail: str, *, advice: str = "") -> None:
        super().__init__(detail)
        self.detail = detail
        self.advice = advice


class RefusedRequestError(Exception):
    """An unsuccessful request of a known client. `location` is the redirect with the error.

    `error` is a code of RFC 6749 or OpenID Connect, `detail` an explanation for developers.
    """

    def __init__(self, *, client_id: str, redirect_uri: str, location: str, error: str, detail: str) -> None:
        super().__init__(error)
        self.client_id = client_id
        self.redirect_uri = redirect_uri
        self.location = location
        self.error = error
        self.detail = detail


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """A valid request by a known client. `resource` is canonical, and `prompts` are the values of prompt."""

    query: str
    application: Application
    redirect_uri: str
    state: str | None
    scopes: tuple[Scope, ...]
    resource: str
    prompts: frozenset[str]

    def refuse(self, error: str, detail: str) -> RefusedRequestError:
        """Return this request's refusal. `error` is a code of RFC 6749 or OpenID Connect."""
        return _refusal(self.application.client_id, self.redirect_uri, self.state, error, detail)


def read_request(query: str) -> AccessRequest:
    """Parse an authorization request's query string. Raises BrokenRequestError or RefusedRequestError."""
    pairs = _pairs(query)
    address = _address(pairs)
    try:
        scopes, said = get_oauthlib_core().server.validate_authorization_request(address)
    except FatalClientError as error:
        raise _broken(error, dict(pairs).get("client_id", "")) from None
    except OAuth2Error as error:
        raise _refusal(error.client_id, error.redirect_uri, error.state, error.error, error.description) from None
    values = dict(pairs)
    resource = bound_resource([value for name, value in pairs if name == "resource"])
    request = AccessRequest(
        query=urlencode(pairs),
        application=said["request"].client,
        redirect_uri=said["redirect_uri"],
        state=said["state"],
        scopes=tuple(scope for scope in Scope if scope in scopes),
        resource=resource or "",
        prompts=frozenset(values.get("prompt", "").split()),
    )
    if not is_s256(said.get("code_challenge"), said.get("code_challenge_method")):
        raise request.refuse("invalid_request", "Use PKCE with code_challenge_method=S256.")
    if values.get("response_mode", "query") != "query":
        raise request.refuse("invalid_request", "Use response_mode=query.")
    if resource is None:
        raise request.refuse("invalid_target", "The resource doesn't belong to this service.")
    return request


@transaction.atomic
def grant(request: AccessRequest, *, scopes: Collection[Scope], user: User) -> str:
    """Allow access. Returns the redirect URI with the code.

    Requested scopes that aren't in `scopes` are also withdrawn from earlier grants.
    """
    allow(application=request.application, user=user, withheld=set(request.scopes) - set(scopes))
    pairs = _pairs(request.query)
    headers, _, _ = get_oauthlib_core().server.create_authorization_response(
        _address(pairs),
        scopes=[str(scope) for scope in scopes],
        credentials={"user": user, "client": request.application, "bound_resource": request.resource},
    )
    location: str = add_params_to_uri(headers["Location"], [("iss", settings.PUBLIC_BASE_URL)])
    return location


def keep(request: AccessRequest, *, user: User) -> str:
    """Store a request while the account decides. Returns the ticket for its form."""
    ticket = secrets.token_urlsafe(24)
    cache.set(_key(ticket), {"query": request.query, "user": user.pk}, timeout=TICKET_SECONDS)
    return ticket


def take(ticket: str, *, user: User) -> str | None:
    """Return and delete the query string of a ticket. None if unknown, old, used or another account's."""
    stored = cache.get(_key(ticket))
    if stored is None or stored["user"] != user.pk or not cache.delete(_key(ticket)):
        return None
    query: str = stored["query"]
    return query


def _pairs(query: str) -> Parameters:
    if len(query) > MAX_QUERY_CHARACTERS:
        raise BrokenRequestError("The request is too long.")
    try:
        return sent_parameters(parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_PARAMETERS, errors="strict"))
    except ValueError:
        raise BrokenRequestError("The request is malformed.") from None


def _address(pairs: Parameters) -> str:
    return f"{settings.PUBLIC_BASE_URL}/oauth/authorize?{urlencode(pairs)}"


def _refusal(client_id: str, redirect_uri: str, state: str | None, error: str, detail: str) -> RefusedRequestError:
    detail = explain(error, detail)
    answer = [("error", error), ("error_description", detail), *([("state", state)] if state else [])]
    return RefusedRequestError(
        client_id=client_id,
        redirect_uri=redirect_uri,
        location=add_params_to_uri(redirect_uri, [*answer, ("iss", settings.PUBLIC_BASE_URL)]),
        error=error,
        detail=detail,
    )


def _broken(error: FatalClientError, client_id: str) -> BrokenRequestError:
    if error.description == "Invalid client_id parameter value." and (problem := document_problem(client_id)):
        return BrokenRequestError(problem.detail, advice=problem.advice)
    return BrokenRequestError(
        {
            "Invalid client_id parameter value.": "This app isn't known here. Connect it again from the app.",
            "Missing client_id parameter.": "The request doesn't say which app it comes from.",
            "Mismatching redirect URI.": "The app's redirect URL isn't registered. Connect again from the app.",
            "Missing redirect URI.": "The request doesn't say where to send you afterwards.",
        }.get(error.description, "The request is malformed.")
    )


def _key(ticket: str) -> str:
    return f"access-request:{checksum(ticket)}"
