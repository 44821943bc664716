"""As django-ninja comes: a schema, and pages that are counted."""

from typing import Any

from django.http import HttpRequest
from ninja import Field, NinjaAPI, Schema
from ninja.pagination import PageNumberPagination, paginate

from tests.benchmarks.peers.apps.django_peer.models import Listing, live

api = NinjaAPI()


class Item(Schema):
    """A listing of a page."""

    id: int
    slug: str
    name: str = Field(alias="company.name")
    url: str = Field(alias="company.website")
    votes: int = Field(alias="standing.votes")
    headline: str
    logo_url: str = Field(alias="company.logo_url")
    categories: list[str]
    launch_week: str
    status: str
    listing_url: str

    @staticmethod
    def resolve_categories(listing: Listing) -> list[str]:
        return [category.slug for category in listing.categories.all()]

    @staticmethod
    def resolve_listing_url(listing: Listing) -> str:
        return f"/listings/{listing.slug}"


@api.get("/listings", response=list[Item])
@paginate(PageNumberPagination, page_size=20)
def listings(request: HttpRequest) -> Any:
    return live()
