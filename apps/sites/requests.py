"""Requests as the rest of the project sees them, for the type checker."""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from rest_framework.request import Request

if TYPE_CHECKING:
    from apps.sites.models import Site


class SiteHttpRequest(HttpRequest):
    """A page request with the site of its host name."""

    site: "Site"  # type: ignore[assignment]


class SiteRequest(Request):
    """An API request with the site of its host name."""

    site: "Site"  # type: ignore[assignment]
