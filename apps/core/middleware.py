"""What happens around every request."""

from collections.abc import Callable

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from apps.core.problems import describe, problem, problem_response
from apps.core.request_ids import begin_request

GetResponse = Callable[[HttpRequest], HttpResponse]


class RequestIdMiddleware:
    """Gives the request an id, taken over from a well-formed X-Request-ID, and says it in the answer."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = begin_request(request.headers.get("X-Request-ID"))
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        return response


class ApiErrorMiddleware:
    """Under the API's path every error is a problem document, also those no viewset has seen."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if response.status_code >= 400 and is_page and request.path.startswith("/api/"):
            detail = "There is nothing at this address." if response.status_code == 404 else response.reason_phrase
            return problem_response(problem(response.status_code, detail, instance=request.path))
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return describe(exception, request) if request.path.startswith("/api/") else None


class ContentSecurityPolicyMiddleware(CSPMiddleware):
    """The strict policy everywhere; the admin's theme needs inline styles and Alpine's expressions."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path.startswith("/admin/"):
            response._csp_update = {  # type: ignore[attr-defined]  # noqa: SLF001 - the middleware's own channel for a view's wishes
                "script-src": [SELF, UNSAFE_EVAL, UNSAFE_INLINE],
                "style-src": [SELF, UNSAFE_INLINE],
            }
        result: HttpResponseBase = super().process_response(request, response)
        return result
