"""The addresses: `/drf`, `/ninja`, `/template` and `/cached` with rows, `/plain` with bytes."""

from importlib.util import find_spec
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import cache_page
from rest_framework import generics, serializers

from tests.benchmarks.peers.apps.django_peer.models import Listing, live


class ItemSerializer(serializers.Serializer[Listing]):
    """A listing of a page."""

    id = serializers.IntegerField()
    slug = serializers.CharField()
    name = serializers.CharField(source="company.name")
    url = serializers.CharField(source="company.website")
    votes = serializers.IntegerField(source="standing.votes")
    headline = serializers.CharField()
    logo_url = serializers.CharField(source="company.logo_url")
    categories = serializers.SlugRelatedField(slug_field="slug", many=True, read_only=True)
    launch_week = serializers.CharField()
    status = serializers.CharField()
    listing_url = serializers.SerializerMethodField()

    def get_listing_url(self, listing: Listing) -> str:
        return f"/listings/{listing.slug}"


class Listings(generics.ListAPIView[Listing]):
    """As DRF comes: a serializer, and pages that are counted."""

    serializer_class = ItemSerializer

    def get_queryset(self) -> Any:
        return live()


def template(request: HttpRequest, rows: int) -> HttpResponse:
    """A page of so many listings."""
    return render(request, "page.html", {"listings": live()[:rows]})


def plain(request: HttpRequest, size: int) -> HttpResponse:
    """So many bytes, and nothing else."""
    return HttpResponse(b"x" * size)


urlpatterns = [
    path("drf", Listings.as_view()),
    path("template/<int:rows>", template),
    path("cached/<int:rows>", cache_page(3600)(template)),
    path("plain/<int:size>", plain),
]

if find_spec("ninja"):
    from tests.benchmarks.peers.apps.django_peer.ninja_api import api

    urlpatterns.append(path("ninja/", api.urls))
