"""Shapes of founder stories in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.core.api.serializers import PlainTextField, StrictSerializer
from apps.sites.models import MAX_STORY_TITLE
from apps.stories.models import FounderStory
from apps.stories.sections import MAX_SECTION_CHARACTERS, OLD_NAMES, SECTIONS

_TITLE_HELP = "Plain text. The site may set a lower limit, such as 90 characters: a refusal names it."


@extend_schema_field({"type": "string", "maxLength": MAX_SECTION_CHARACTERS})
class SectionField(PlainTextField):
    """A section's text. Its limit is checked with the title's, so that whoever exceeds both is told both."""


@extend_schema_field({"type": "string", "maxLength": MAX_STORY_TITLE})
class TitleField(PlainTextField):
    """A story's title. Sites have their own limits, up to the one that is stated."""


class SetStorySerializer(StrictSerializer):
    """The words of a story; only what is sent changes, and an empty text empties its section."""

    json_schema = {"allOf": [{"not": {"required": [old, name]}} for old, name in OLD_NAMES.items()]}

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields: dict[str, Any] = {"title": TitleField(required=False, allow_blank=True, help_text=_TITLE_HELP)}
        for name, heading in SECTIONS.items():
            fields[name] = _section(f"{heading}: plain text, with blank lines between paragraphs.")
        for old, name in OLD_NAMES.items():
            fields[old] = _section(f"An older name of {name}.")
        return fields

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        """Refuse a section that is sent by both of its names with two texts."""
        twice = {
            old: name for old, name in OLD_NAMES.items() if old in attrs and attrs[old] != attrs.get(name, attrs[old])
        }
        if twice:
            raise serializers.ValidationError(
                {old: [f"{old} is an older name of {name}: send one of the two."] for old, name in twice.items()}
            )
        return attrs


class MissingSerializer(serializers.Serializer[Any]):
    """One thing that keeps a story from being published."""

    reason = serializers.CharField(help_text="What to do, with counts.")
    url = serializers.CharField(help_text="Where to do it.")


class StoryOutcomeSerializer(serializers.Serializer[Any]):
    """A story after it was written."""

    title = serializers.CharField()
    url = serializers.CharField(
        help_text=(
            "The public page once visitors see it. Before that, for the signed-in owner: the preview of a published "
            "story, the editor of a draft."
        )
    )
    published_at = serializers.DateTimeField(allow_null=True, help_text="Null while it is not published.")
    shown_on_listing = serializers.BooleanField(
        help_text="Whether visitors see it: a published story shows while its listing is live."
    )
    status = serializers.ChoiceField(choices=FounderStory.Status.choices)
    missing = MissingSerializer(many=True, help_text="What to do before it is published; empty once it is.")
    public_from = serializers.DateField(
        allow_null=True, help_text="The day on which a published story of a scheduled listing becomes public."
    )
    next_steps = serializers.ListField(
        child=serializers.CharField(), help_text="When a published story becomes public; empty once it is."
    )


def _section(text: str) -> "SectionField":
    return SectionField(required=False, allow_blank=True, multiline=True, help_text=text)
