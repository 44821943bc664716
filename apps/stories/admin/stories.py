"""Founder stories in the admin: read-only, with takedown and restoring."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.core.admin.base import ModelAdmin, ReadOnlyInline, TakenAlong, labelled
from apps.core.admin.decisions import Decides, Decision, page_action
from apps.core.editing.plain_text import count_words
from apps.core.text.dates import moment_text
from apps.core.versions.admin import ShowsVersions, shown_texts
from apps.moderation.admin.pages import HasCase
from apps.stories.admin import decisions
from apps.stories.admin.status_text import COLORS, StatusFilter, is_by_older_rules, status_text
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.rules.publication import gaps_of
from apps.stories.sections import SECTIONS
from apps.stories.services.history import label_of


class StoryVersionInline(ShowsVersions, ReadOnlyInline):
    model = StoryVersion
    verbose_name_plural = "history"
    fields = ("created_at", "act", "who", "way", "what_changed")
    readonly_fields = fields
    per_page = 10

    def get_queryset(self, request: HttpRequest) -> QuerySet[StoryVersion]:
        result: QuerySet[StoryVersion] = super().get_queryset(request)
        return result.select_related("author", "restored_from")

    @admin.display(description="change")
    def act(self, version: StoryVersion) -> str:
        said = str(version.get_action_display())
        if version.restored_from:
            said += f", restored from {moment_text(version.restored_from.created_at)}"
        return f"{said}: {version.reason}" if version.reason else said

    def label_of(self, field: str) -> str:
        return label_of(field)


@admin.register(FounderStory)
class FounderStoryAdmin(HasCase, Decides, TakenAlong, ModelAdmin):
    case_kind = "story"
    list_display = ("__str__", "listing", "site", "state", "word_count", "published_at", "updated_at")
    list_filter = (StatusFilter, "listing__site", "published_at", "updated_at")
    list_filter_submit = True
    search_fields = ("title", "listing__company__name", "listing__slug", "author__email")
    ordering = ("-updated_at", "-pk")
    inlines = (StoryVersionInline,)
    actions = ("take_down", "release")
    actions_detail = ("take_down_one", "release_one", "see_case")
    fieldsets = (
        (None, {"fields": ("listing", "site", "author", "state", "taken_down_at", "taken_down_reason", "page")}),
        ("Rules", {"fields": ("published_at", "rules", "lacking")}),
        ("Story", {"fields": ("word_count", "updated_at", "texts")}),
    )
    readonly_fields = ("site", "state", "page", "rules", "lacking", "word_count", "texts")

    def get_queryset(self, request: HttpRequest) -> QuerySet[FounderStory]:
        result: QuerySet[FounderStory] = super().get_queryset(request)
        return result.select_related("listing__company__owner__founder_profile", "listing__site", "author")

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {"take_down_one": decisions.TAKE_DOWN.why_not, "release_one": decisions.RELEASE.why_not}

    # ---- what is shown ----
    @admin.display(description="site", ordering="listing__site")
    def site(self, story: FounderStory) -> str:
        return str(story.listing.site)

    @labelled(description="status", colors=COLORS)
    def state(self, story: FounderStory) -> str:
        return status_text(story)

    @admin.display(description="words")
    def word_count(self, story: FounderStory) -> int:
        return sum(map(count_words, story.sections.values()))

    @admin.display(description="page")
    def page(self, story: FounderStory) -> SafeString | str:
        if not story.is_shown:
            return "Hidden from visitors."
        address = story.url
        return format_html('<a class="text-primary-600 dark:text-primary-500" href="{0}">{0}</a>', address)

    @admin.display(description="published under")
    def rules(self, story: FounderStory) -> str:
        if not story.published_at:
            return "not published"
        if is_by_older_rules(story):
            return "earlier rules (it can stay published)"
        return "current rules"

    @admin.display(description="missing under current rules")
    def lacking(self, story: FounderStory) -> SafeString | str:
        result = gaps_of(story)
        if not result:
            return "nothing"
        rows = format_html_join("", "<li>{}</li>", ((gap.reason,) for gap in result))
        return format_html('<ul class="flex flex-col gap-2 leading-relaxed">{}</ul>', rows)

    @admin.display(description="texts")
    def texts(self, story: FounderStory) -> str:
        written = [("Title", story.title)] if story.title else []
        written += [
            (f"{heading}, {count_words(text)} words", text)
            for name, heading in SECTIONS.items()
            if (text := story.sections.get(name, ""))
        ]
        return shown_texts(written)

    # ---- decisions ----
    @admin.action(description="Take down with a reason", permissions=["decide"])
    def take_down(self, request: HttpRequest, stories: QuerySet[FounderStory]) -> HttpResponse:
        return self._ask(request, stories, decisions.TAKE_DOWN)

    @admin.action(description="Restore", permissions=["decide"])
    def release(self, request: HttpRequest, stories: QuerySet[FounderStory]) -> HttpResponse:
        return self._ask(request, stories, decisions.RELEASE)

    @page_action(description="Take down", permissions=["decide"], icon="visibility_off", is_dangerous=True)
    def take_down_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, decisions.TAKE_DOWN)

    @page_action(description="Restore", permissions=["decide"], icon="visibility")
    def release_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, decisions.RELEASE)

    def _ask(self, request: HttpRequest, stories: QuerySet[FounderStory], decision: Decision) -> HttpResponse:
        return self.ask(request, stories, decision, back=request.get_full_path())
