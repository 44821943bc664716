"""The site of a request: its host's, or one that an API call names."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from rest_framework import serializers
from rest_framework.request import Request

from apps.core.api.serializers import QuerySerializer, QueryTextField
from apps.core.stores.valkey.generations import site_name
from apps.core.web.public_cache import belongs_to
from apps.sites.models import Site


class SiteHttpRequest(HttpRequest):
    """A page request with its site."""

    site: Site  # type: ignore[assignment]


class SiteRequest(Request):
    """An API request with its site."""

    site: Site  # type: ignore[assignment]


class SiteField(QueryTextField):
    """The key of another site of this installation."""

    def __init__(self) -> None:
        super().__init__(required=False, max_length=32, help_text="Key of another site.")


class SiteQuery(QuerySerializer):
    site = SiteField()


def named_site(request: SiteRequest, values: Mapping[str, Any]) -> Site:
    """Return the site that `site` names, or the request's own. Raises ValidationError (422) for an unknown key."""
    key = values.get("site")
    if not key:
        return request.site
    site = Site.objects.filter(key=key).first()
    if site is None:
        known = ", ".join(Site.objects.order_by("key").values_list("key", flat=True)[:20])
        raise serializers.ValidationError({"site": f"Unknown site {key}. Use one of: {known}."})
    belongs_to(request, site_name(site.pk))
    return site
