"""What search_listings takes and answers."""

from typing import Any

from rest_framework import serializers

from apps.core.serializers import PageQuery, PlainTextField
from apps.core.weeks import Week
from apps.listings import search
from apps.listings.serializers import PublicListingSerializer


class SearchQuery(PageQuery):
    q = PlainTextField(default="", max_length=search.MAX_LENGTH, allow_blank=True, help_text=search.HELP)
    category = serializers.SlugField(required=False, help_text="Slug of a category of this site.")
    week = serializers.CharField(required=False, help_text="ISO week of the launch, such as 2026-W46.")

    def validate_week(self, value: str) -> Week:
        try:
            return Week.parse(value)
        except ValueError:
            raise serializers.ValidationError("This must be an ISO week such as 2026-W46.") from None


class PublicListingPageSerializer(serializers.Serializer[Any]):
    """A page of listings that were found."""

    items = PublicListingSerializer(many=True)
    page = serializers.IntegerField(help_text="This page, 1-based.")
    per_page = serializers.IntegerField()
    total = serializers.IntegerField(
        help_text=f"Listings on all pages, counted up to {search.COUNTED}: that many or more. `next` leads on."
    )
    next = serializers.CharField(allow_null=True, help_text="Address of the next page, or null.")
    previous = serializers.CharField(allow_null=True, help_text="Address of the page before, or null.")
    corrected = serializers.CharField(
        allow_null=True,
        help_text="What was searched for instead, because nothing had all words of `q`; null when `q` itself was.",
    )
