"""Which site a request is for: its host name decides."""

from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from apps.core.api.problems import problem, problem_response
from apps.sites.models import Site


class CurrentSiteMiddleware:
    """Sets `request.site`; looked up when first used, so that health checks need no database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            request.get_host()
        except DisallowedHost:
            # Answered here: an error page would ask for the site of this host again.
            return problem_response(problem(400, "This host is not served here.", instance=request.path))
        request.site = SimpleLazyObject(lambda: site_of(request))  # type: ignore[assignment]
        return self.get_response(request)


def site_of(request: HttpRequest) -> Site:
    """The site for the request's host name, without its port."""
    host = request.get_host().rsplit(":", 1)[0].strip("[]").lower()
    site: Site = Site.objects.for_host(host)
    return site
