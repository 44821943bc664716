"""Emails about stories: to owners about decisions of others, to admins about new content."""

from typing import Any

from django.urls import reverse

from apps.accounts.models import NotificationKind
from apps.core.editing.plain_text import count_words
from apps.core.email.text import render_words
from apps.core.versions.authorship import way_for_team
from apps.core.versions.models import Via
from apps.listings import emails
from apps.moderation.emails import appeal_url
from apps.moderation.models import Decision
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.rules.publication import editor_url

Action = StoryVersion.Action
# What happened without the owner. The email templates have the same names.
_NEWS_TO_OWNER = frozenset({Action.TAKEN_DOWN, Action.RELEASED})


def notify(version: StoryVersion, *, decision: Decision | None = None) -> None:
    """Email the news in a version, in the caller's transaction and once per version. Most versions have none.

    The owner learns that the story was published automatically, taken down or released. Site admins learn that a story
    was published, but not about edits. With a `decision` against the owner, they learn how to appeal.
    """
    action = Action(version.action)
    if action in _NEWS_TO_OWNER or (action == Action.PUBLISHED and version.via == Via.SYSTEM):
        _notify_owner(version, action, decision)
    if action == Action.PUBLISHED:
        _notify_team(version)


def _notify_owner(version: StoryVersion, action: Action, decision: Decision | None) -> None:
    context = {**_context(version), "appeal_url": appeal_url(decision) if decision else ""}
    listing, key, name = version.story.listing, f"story-{version.pk}", f"stories/emails/{action}"
    if action == Action.PUBLISHED:
        emails.notify_owner_optionally(NotificationKind.STORIES, listing=listing, key=key, name=name, context=context)
    else:
        emails.notify_owner(listing=listing, key=key, words=render_words(name, context))


def _notify_team(version: StoryVersion) -> None:
    story = version.story
    context = {
        **_context(version),
        "who": str(version.author) if version.author else "The service",
        "way": way_for_team(version),
        # On one line, so that a title can't pose as a line of the email.
        "title": " ".join(str(story).split()),
        "word_count": sum(map(count_words, story.sections.values())),
        "admin_url": story.listing.site.url(reverse("admin:stories_founderstory_change", args=[story.pk])),
    }
    emails.notify_team(
        site=story.listing.site,
        key=f"story-{version.pk}",
        words=render_words("stories/emails/for_team", context),
    )


def _context(version: StoryVersion) -> dict[str, Any]:
    story: FounderStory = version.story
    listing = story.listing
    return {
        "story": story,
        "listing": listing,
        "site": listing.site,
        "reason": version.reason,
        "page_url": story.url,
        "editor_url": editor_url(listing),
    }
