"""Shapes of updates in the API."""

from rest_framework import serializers

from apps.core.api.serializers import PlainTextField, StrictSerializer
from apps.listings.models import Update
from apps.listings.news import BODY_LENGTH, TITLE_LENGTH, page_url
from apps.listings.serializers import UpdateSerializer


class PostUpdateSerializer(StrictSerializer):
    """News of a listing."""

    title = PlainTextField(max_length=TITLE_LENGTH, help_text="The headline, in one line.")
    body = PlainTextField(
        max_length=BODY_LENGTH, multiline=True, help_text="Plain text; an empty line begins a paragraph."
    )


class PostedUpdateSerializer(UpdateSerializer):
    """An update, with where it is read."""

    url = serializers.SerializerMethodField(help_text="Where visitors read it.")

    def get_url(self, update: Update) -> str:
        return page_url(update)
