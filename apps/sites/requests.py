"""Request types for the type checker."""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from rest_framework.request import Request

if TYPE_CHECKING:
    from apps.sites.models import Site


class SiteHttpRequest(HttpRequest):
    """A page request with its site."""

    site: "Site"  # type: ignore[assignment]


class SiteRequest(Request):
    """An API request with its site."""

    site: "Site"  # type: ignore[assignment]
