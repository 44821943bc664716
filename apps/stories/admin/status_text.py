"""A story's status in words for admins."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.stories.models import FounderStory
from apps.stories.rules.site_rules import Rules

PUBLISHED = "published"
UNSEEN = "published, hidden"
WAITING = "incomplete"
DRAFT = "draft"
TAKEN_DOWN = "taken down"
COLORS = {PUBLISHED: "success", UNSEEN: "info", WAITING: "warning", TAKEN_DOWN: "danger"}


def status_text(story: FounderStory) -> str:
    """Return one of the names above."""
    if story.taken_down_at:
        return TAKEN_DOWN
    if story.published_at:
        return PUBLISHED if story.is_shown else UNSEEN
    return WAITING if story.publish_when_ready else DRAFT


def is_by_older_rules(story: FounderStory) -> bool:
    """Return whether a story was published under earlier rules."""
    if not story.published_at or not story.published_rules:
        return False
    return Rules.from_json(story.published_rules) != Rules.of(story.listing.site)


class StatusFilter(admin.SimpleListFilter):
    """Filter stories by the names above."""

    title = "status"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("published", "Published"),
            ("unseen", "Published, hidden"),
            ("waiting", "Incomplete"),
            ("draft", "Draft"),
            ("taken_down", "Taken down"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[FounderStory]) -> QuerySet[FounderStory]:
        shown = FounderStory.objects.published().values("pk")
        match self.value():
            case "published":
                return queryset.filter(pk__in=shown)
            case "unseen":
                return queryset.filter(published_at__isnull=False).exclude(pk__in=shown)
            case "waiting":
                return queryset.filter(pk__in=FounderStory.objects.pending().values("pk"))
            case "draft":
                return queryset.filter(published_at__isnull=True, publish_when_ready=False, taken_down_at__isnull=True)
            case "taken_down":
                return queryset.filter(taken_down_at__isnull=False)
        return queryset
