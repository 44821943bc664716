"""Bodies of the operations on an owner's listings."""

from typing import Any

from rest_framework import serializers

from apps.core.api.patterns import SLUG
from apps.core.api.serializers import PlainTextField, StrictSerializer, StrictStringField
from apps.listings.fields.serializers import (
    BoundedListField,
    DayField,
    HttpsAddressField,
    ListingFieldsSerializer,
    SocialsField,
    faqs_field,
)
from apps.listings.services.editing import ALL_SITES

MAX_SITES = 50
OTHERS_STAY = "All others and those with null stay the same. Empty values clear."


class UpdateFieldsSerializer(ListingFieldsSerializer):
    """Company facts shared by all sites, and this site's texts. Only the fields you send change."""

    socials = None  # type: ignore[assignment] # is beside `fields`
    faqs = None  # type: ignore[assignment] # is beside `fields`


class UpdateListingSerializer(StrictSerializer):
    """Changes to a listing."""

    empty_clears = True

    apply_to = BoundedListField(
        required=False,
        child=StrictStringField(max_length=32, pattern=SLUG),
        max_length=MAX_SITES,
        json_schema={"anyOf": [{"maxItems": 1}, {"items": {"not": {"const": ALL_SITES}}}]},
        help_text='Also copy texts to other sites: ["all"] or site keys. See `applied`: unknown keys change nothing.',
    )
    socials = SocialsField(required=False, help_text="Links by platform. Replaces all existing links.")
    faqs = faqs_field()

    def get_fields(self) -> dict[str, Any]:
        # As an attribute, `fields` would hide the serializer's own.
        return {
            "fields": UpdateFieldsSerializer(required=False, help_text=OTHERS_STAY),
            **super().get_fields(),
        }

    def validate_apply_to(self, value: list[str]) -> list[str]:
        if ALL_SITES in value and len(value) > 1:
            raise serializers.ValidationError('Send ["all"] on its own, or a list of site keys.', code="mixed")
        return value


class NewMilestoneSerializer(StrictSerializer):
    """A dated milestone."""

    date = DayField(help_text="YYYY-MM-DD, from 1800 to two years ahead.")
    title = PlainTextField(max_length=120)
    description = PlainTextField(required=False, max_length=1000, multiline=True, allow_blank=True)
    url = HttpsAddressField(required=False, allow_blank=True)
