"""Public pages as Markdown: under their address with `.md`, or for clients that prefer it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from apps.core.web.markdown.to_markdown import to_markdown
from apps.core.web.views import PRIVATE_PATHS

MEDIA_TYPE = "text/markdown"
_SUFFIX = ".md"
_FRONT_PAGE = "/index"
_NOT_PAGES = ("/api/", "/mcp", "/static/", "/media/", "/.well-known/", *PRIVATE_PATHS)
# The page is made anew from its whole text.
_SET_ASIDE = ("HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_RANGE")
_NOT_MARKDOWN_S = ("ETag", "Last-Modified", "Content-Length", "Content-Security-Policy")


class MarkdownMiddleware:
    """Turns public pages into Markdown on request, outside the cache of the pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method not in {"GET", "HEAD"} or request.path.startswith(_NOT_PAGES):
            return self.get_response(request)
        has_own_address = request.path_info.endswith(_SUFFIX)
        if not has_own_address and not _prefers_markdown(request.headers.get("Accept", "")):
            return self.get_response(request)
        if has_own_address:
            request.path_info = _page_of(request.path_info)
            request.path = _page_of(request.path)
            request.META["PATH_INFO"] = request.path_info
        for name in _SET_ASIDE:
            request.META.pop(name, None)
        # Django remembers the headers that others have read.
        vars(request).pop("headers", None)
        response = self.get_response(request)
        is_page = response.status_code == 200 and response.get("Content-Type", "").startswith("text/html")
        if not is_page or not isinstance(response, HttpResponse):
            return response
        return _as_markdown(request, response, is_shared=has_own_address)


def _page_of(path: str) -> str:
    path = path.removesuffix(_SUFFIX)
    return "/" if path == _FRONT_PAGE else path


def _as_markdown(request: HttpRequest, response: HttpResponse, *, is_shared: bool) -> HttpResponse:
    response.content = to_markdown(response.text, url=request.build_absolute_uri()).encode()
    response["Content-Type"] = f"{MEDIA_TYPE}; charset=utf-8"
    for name in _NOT_MARKDOWN_S:
        if name in response:
            del response[name]
    if not is_shared:
        # Caches know the address by its page.
        response["Cache-Control"] = "private, no-store"
        patch_vary_headers(response, ["Accept"])
    return response


def _prefers_markdown(accept: str) -> bool:
    """Return whether an Accept header names Markdown, and HTML not before it."""
    if MEDIA_TYPE not in accept:
        return False
    weights = dict(_weight(part) for part in accept.split(","))
    return weights.get(MEDIA_TYPE, 0.0) > 0 and weights[MEDIA_TYPE] >= weights.get("text/html", 0.0)


def _weight(part: str) -> tuple[str, float]:
    name, _, parameters = part.partition(";")
    _, _, weight = parameters.partition("q=")
    try:
        return name.strip().lower(), float(weight or 1)
    except ValueError:
        return name.strip().lower(), 0.0
