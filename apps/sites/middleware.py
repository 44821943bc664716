"""Which site a request is for: its host name decides."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from apps.sites.models import Site


class CurrentSiteMiddleware:
    """Sets `request.site`; looked up when first used, so that health checks need no database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.site = SimpleLazyObject(lambda: site_of(request))  # type: ignore[assignment]
        return self.get_response(request)


def site_of(request: HttpRequest) -> Site:
    """The site for the request's host name, without its port."""
    host = request.get_host().rsplit(":", 1)[0].strip("[]").lower()
    site: Site = Site.objects.for_host(host)
    return site
