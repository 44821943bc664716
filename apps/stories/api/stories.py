"""Founder stories in the API."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.drainage import set_override
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import account_of, actor_of
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.serializers import PlainTextField, StrictSerializer
from apps.core.api.views import ApiViewSet
from apps.listings.guidance import blockers
from apps.listings.models import Listing
from apps.sites.models import MAX_STORY_TITLE
from apps.stories.models import FounderStory
from apps.stories.rules.publication import not_wanted
from apps.stories.sections import MAX_SECTION_CHARACTERS, OLD_NAMES, SECTIONS
from apps.stories.services import stories

_TITLE_HELP = "Sites can set a lower length limit."


@extend_schema_field({"type": "string", "maxLength": MAX_SECTION_CHARACTERS})
class SectionField(PlainTextField):
    """A section's text. Its length is checked with the title's, so that both problems are reported."""


@extend_schema_field({"type": "string", "maxLength": MAX_STORY_TITLE})
class TitleField(PlainTextField):
    """A story's title. Sites can have lower limits than the documented one."""


class SetStorySerializer(StrictSerializer):
    """The texts to change. Omitted fields stay the same, and an empty string clears a section."""

    json_schema = {"allOf": [{"not": {"required": [old, name]}} for old, name in OLD_NAMES.items()]}

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields: dict[str, Any] = {"title": TitleField(required=False, allow_blank=True, help_text=_TITLE_HELP)}
        for name in SECTIONS:
            fields[name] = _section("")
        for old, name in OLD_NAMES.items():
            fields[old] = _section("")
            described = {
                "type": "string",
                "maxLength": MAX_SECTION_CHARACTERS,
                "description": f"Former name of {name}.",
            }
            set_override(fields[old], "field", described | {"deprecated": True})
        return fields

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        """Refuse a section sent under both of its names with different texts."""
        twice = {
            old: name for old, name in OLD_NAMES.items() if old in attrs and attrs[old] != attrs.get(name, attrs[old])
        }
        if twice:
            raise serializers.ValidationError(
                {old: [f"{old} is the old name of {name}. Send only one of them."] for old, name in twice.items()}
            )
        return attrs


class UnpublishStorySerializer(StrictSerializer):
    """Why the story is taken off the site."""

    reason = PlainTextField(
        default="",
        allow_blank=True,
        multiline=True,
        max_length=stories.MAX_REASON_CHARACTERS,
        help_text="Saved in the story's history.",
    )


class MissingSerializer(serializers.Serializer[Any]):
    """A requirement the story doesn't meet yet."""

    reason = serializers.CharField(help_text="What to add, with counts.")
    url = serializers.CharField(help_text="Link to do it.")


class StoryOutcomeSerializer(serializers.Serializer[Any]):
    """A founder story after saving."""

    title = serializers.CharField()
    url = serializers.CharField(help_text=("The public page once visible. Until then, the owner's preview or editor."))
    published_at = serializers.DateTimeField(allow_null=True, help_text="Null if not published.")
    shown_on_listing = serializers.BooleanField(
        help_text="Whether visitors can see it. A published story appears once its listing is live."
    )
    status = serializers.ChoiceField(choices=FounderStory.Status.choices)
    missing = MissingSerializer(many=True, help_text="What to add before it is published. Empty once published.")
    public_from = serializers.DateField(
        allow_null=True, help_text="The day a published story goes public with its scheduled listing."
    )
    next_steps = serializers.ListField(
        child=serializers.CharField(), help_text="What happens next with a published story. Empty once it is public."
    )


class StoryViewSet(ApiViewSet):
    lookup_url_kwarg = "listing_id"
    listed_by = "list_my_listings"

    def get_queryset(self) -> QuerySet[Listing]:
        return Listing.objects.visible_to(account_of(self.request)).for_owner()

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Founder stories",
        summary="Set the founder story",
        body=SetStorySerializer,
        returns=StoryOutcomeSerializer,
        idempotency_key=True,
    )
    def set_founder_story(self, request: Request, listing_id: int) -> Response:
        """Write a listing's founder story as plain text, in the owner's own words.

        Only the fields you send change, and an empty string clears a section. The story is published once it meets
        the site's rules. Until then it stays a draft, and `missing` lists what to add and where. An empty body returns
        the current status.
        """
        fields = self.parse(SetStorySerializer)
        # A body without fields only asks for the status. It must not publish what its owner took down.
        outcome = stories.set_founder_story(
            listing=self.target, fields=fields, publish=True if fields else None, by=actor_of(request)
        )
        return Response(StoryOutcomeSerializer(_shown(outcome)).data)

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag="Founder stories",
        summary="Unpublish the founder story",
        body=UnpublishStorySerializer,
        returns=StoryOutcomeSerializer,
        idempotency_key=True,
        destructive=True,
        idempotent=True,
    )
    def unpublish_story(self, request: Request, listing_id: int) -> Response:
        """Unpublish the founder story. It stays a draft until set_founder_story is called with fields."""
        reason = self.parse(UnpublishStorySerializer)["reason"]
        story = stories.unpublish_story(listing=self.target, reason=reason, by=actor_of(request))
        return Response(StoryOutcomeSerializer(_shown(stories.Outcome(story, [not_wanted(story)]))).data)


def _shown(outcome: stories.Outcome) -> dict[str, object]:
    story = outcome.story
    return {
        "title": story.title,
        "url": story.url,
        "published_at": story.published_at,
        "shown_on_listing": story.is_shown,
        "status": story.status,
        "missing": outcome.gaps,
        "public_from": story.public_from,
        "next_steps": blockers.story_steps(story),
    }


def _section(text: str) -> SectionField:
    return SectionField(required=False, allow_blank=True, multiline=True, help_text=text)
