"""Middleware for every request."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from io import BytesIO

from corsheaders.middleware import CorsMiddleware
from csp.constants import HEADER, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils.cache import add_never_cache_headers
from django.views.generic import View

from apps.core.api.parsers import size_text
from apps.core.api.problems import describe, problem, problem_response
from apps.core.api.rate_limits import rate_limit_headers
from apps.core.operations.metrics import observe, queries_run
from apps.core.request.client_ip import vouched_address, vouched_scheme
from apps.core.request.outages import outage_behind
from apps.core.request.request_ids import begin_request
from apps.core.web import views
from apps.core.web.body_limits import announced_limit, read_rest, shows_too_large
from apps.core.web.error_pages import too_large, unavailable
from apps.core.web.pages import POLICY_ADDED
from apps.core.web.public_cache.membership import ROUTE

logger = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponse]


def note_request(*, method: str, route: str, status: int, seconds: float, queries: int = 0) -> None:
    """Log a request that was answered, and count it for /metrics."""
    fields = {"method": method, "route": route, "status": status, "duration_ms": round(seconds * 1000, 1)}
    logger.info("request", extra=fields)
    observe(method=method, route=route, status=status, seconds=seconds, queries=queries)


class RequestIdMiddleware:
    """Gives the request an id, or adopts a well-formed X-Request-ID, for the response and the log."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = begin_request(request.headers.get("X-Request-ID"))
        began, queries_before = time.perf_counter(), queries_run()
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        # The route instead of the path, because the URL of a checkout page is a secret.
        route = request.resolver_match.route if request.resolver_match else request.META.get(ROUTE, "")
        note_request(
            method=str(request.method),
            route=route,
            status=response.status_code,
            seconds=time.perf_counter() - began,
            queries=queries_run() - queries_before,
        )
        return response


class HealthMiddleware:
    """Answers /healthz, /readyz and /metrics before the host is checked, because probes use the machine's name."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self._views = {"/healthz": views.healthz, "/readyz": views.readyz, "/metrics": views.metrics}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        view = self._views.get(request.path)
        return view(request) if view else self.get_response(request)


class TrailingSlashMiddleware:
    """Serve programs' URLs with a slash at the end, too: many client libraries add one."""

    _PATHS = ("/api/", "/oauth/", "/.well-known/oauth-")

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(self._PATHS):
            request.path, request.path_info = request.path.removesuffix("/"), request.path_info.removesuffix("/")
        return self.get_response(request)


class OptionsMiddleware(CorsMiddleware):
    """Adds CORS headers, and answers OPTIONS at programs' URLs before anything is read or counted."""

    def check_preflight(self, request: HttpRequest) -> HttpResponseBase | None:
        preflight = super().check_preflight(request)
        is_asked = request.method == "OPTIONS" and self.is_enabled(request)
        if is_asked and (methods := _methods_at(request.path_info)):
            response = HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"Allow": ", ".join(methods)})
            del response["Content-Type"]
            return response
        return preflight


def _methods_at(path: str) -> list[str]:
    """Return the methods of the class-based view at a path. Empty if there is none."""
    try:
        view = resolve(path).func
    except Resolver404:
        return []
    if view_class := getattr(view, "view_class", None):
        names = {name for name in view_class.http_method_names if hasattr(view_class, name)}
    else:
        # Those of a viewset.
        names = set(getattr(view, "actions", ()))
    if "get" in names:
        names.add("head")
    return [name.upper() for name in View.http_method_names if name in names | {"options"}] if names else []


class ProxyMiddleware:
    """Read the client's address and scheme from our proxy's headers (BEHIND_PROXY)."""

    def __init__(self, get_response: GetResponse) -> None:
        if not settings.BEHIND_PROXY:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if address := vouched_address(request.headers):
            request.META["REMOTE_ADDR"] = address
        if scheme := vouched_scheme(request.headers):
            request.META["HTTP_X_FORWARDED_PROTO"] = scheme
        return self.get_response(request)


class BodyLimitMiddleware:
    """Refuses uploads that announce more than the limit, and reads other bodies to their end."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.headers.get("content-length") or "0"
        most = announced_limit(request.path)
        if length.isascii() and length.isdigit() and int(length[:12]) > most:
            if "text/html" in request.headers.get("accept", "") and not request.path.startswith("/api/"):
                return self._page(request)
            detail = f"The request is over {size_text(most)}. Send a smaller one."
            return problem_response(problem(413, detail, instance=request.path))
        response = self.get_response(request)
        read_rest(request)
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: object) -> HttpResponse | None:
        is_refused = getattr(request, "is_too_large", False) and not shows_too_large(view)
        return too_large(request, most_bytes=settings.MAX_UPLOAD_BYTES) if is_refused else None

    def _page(self, request: HttpRequest) -> HttpResponse:
        """Return the page with the form, if its view shows the refusal beside the field, or an error page.

        Both go through the other middlewares, to be drawn for the account that is signed in.
        """
        with suppress(Resolver404):
            if shows_too_large(resolve(request.path_info).func):
                request.method = "GET"
        request.META["wsgi.input"], request.META["CONTENT_LENGTH"] = BytesIO(), "0"
        vars(request)["is_too_large"] = True
        response = self.get_response(request)
        if response.status_code == HTTPStatus.OK:
            response.status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        return response


class CompressPagesMiddleware(GZipMiddleware):
    """Compresses pages made for one person. Public responses are compressed already.

    Such a page may contain both a CSRF token and text that an attacker chose. Django masks the token anew for every
    response, and this class pads the response by a random length (BREACH). API responses have no such tokens but other
    secrets, so they are not compressed.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.get("Content-Type", "").startswith("text/html"):
            return response
        return super().process_response(request, response)


class ApiErrorMiddleware:
    """Turns every error under the API's path into a problem document, including those outside viewsets."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if response.status_code >= 400 and is_page and request.path.startswith("/api/"):
            detail = "Nothing found at this URL." if response.status_code == 404 else response.reason_phrase
            return problem_response(problem(response.status_code, detail, instance=request.path))
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return describe(exception, request) if request.path.startswith("/api/") else None


class FormOnlyMiddleware:
    """Redirects a browser that opens a URL which only receives a form, such as from its history, to the page above."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_opened = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or not is_opened:
            return response
        path = request.path_info
        while path := path.rpartition("/")[0]:
            with suppress(Resolver404):
                resolve(path)
                return redirect(path)
        return redirect("home")


class OutageMiddleware:
    """Responds 503 when a view fails because PostgreSQL or Valkey is down.

    It wraps ApiErrorMiddleware, which handles the API's errors. Failures of middleware go to
    `error_pages.server_error`.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        outage = outage_behind(exception)
        if outage is None:
            return None
        logger.error("%s cannot be used", outage.server, exc_info=exception)
        return unavailable(request, outage)


class OpenerMiddleware:
    """Keeps the connection between a consent page in a popup and the page that opened it, through sign-in and back.

    SecurityMiddleware would cut it (Cross-Origin-Opener-Policy: same-origin), even on one page or redirect in between.
    A client in a browser would then wait forever for its popup's result.
    """

    _PATHS = ("/oauth/authorize", "/account/sign-in", "/account/sign-up", "/account/verify", "/account/password/reset")

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith(self._PATHS):
            response["Cross-Origin-Opener-Policy"] = "unsafe-none"
        return response


class PrivateAnswerMiddleware:
    """Keeps private responses out of caches, and pages with secret URLs also out of indexes and Referers.

    A response is private if its URL is, if the request had a session or a credential, or if it starts a session. Views
    whose responses are the same for everybody set `Cache-Control: public`.
    """

    _SECRET_PATHS = ("/checkout/", "/newsletter/unsubscribe/", "/test-gateway/", "/unsubscribe/")

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith(self._SECRET_PATHS):
            response["X-Robots-Tag"] = "noindex, nofollow"
            response["Referrer-Policy"] = "no-referrer"
        if self._is_private(request, response) and "no-store" not in response.get("Cache-Control", ""):
            del response["Cache-Control"]
            add_never_cache_headers(response)
        return response

    def _is_private(self, request: HttpRequest, response: HttpResponse) -> bool:
        if request.path.startswith(views.PRIVATE_PATHS):
            return True
        is_known = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
        begins_session = settings.SESSION_COOKIE_NAME in response.cookies
        return begins_session or (is_known and "public" not in response.get("Cache-Control", ""))


class RateLimitHeadersMiddleware:
    """Add RateLimit headers to responses of counted requests."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in rate_limit_headers(request).items():
            response[name] = value
        return response


@cache
def _plain_policy() -> str:
    return str(build_policy())


class ContentSecurityPolicyMiddleware(CSPMiddleware):
    """The strict policy everywhere. Only the admin's theme needs inline styles and Alpine's expressions."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path.startswith("/api/") and HEADER not in response and not settings.DEBUG:
            # API responses never change the policy, and the library would rebuild its text each time.
            response[HEADER] = _plain_policy()
            return response
        if request.path.startswith("/admin/"):
            sources = {"script-src": [SELF, UNSAFE_EVAL, UNSAFE_INLINE], "style-src": [SELF, UNSAFE_INLINE]}
            setattr(response, POLICY_ADDED, sources)
        result: HttpResponseBase = super().process_response(request, response)
        return result
