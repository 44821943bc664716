"""Version history of stories: each change, its author and how it was made.

Callers lock the story's company (`apps.listings.services.locks.lock_company`).
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from django.db.models import QuerySet

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.models import User
from apps.core.versions import differences as versions
from apps.core.versions.differences import Change, Difference, difference
from apps.core.versions.models import Via
from apps.events import recording as events
from apps.events.recording import Subject
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.sections import SECTIONS

Snapshot: TypeAlias = dict[str, Any]
Action = StoryVersion.Action


def snapshot_of(story: FounderStory) -> Snapshot:
    """Return a story's text: `{title, sections}`."""
    return {"title": story.title, "sections": dict(story.sections)}


def is_own(story: FounderStory) -> bool:
    """Return whether a story's text belongs to the listing's current owner."""
    return story.author_id == story.listing.company.owner_id


def words_of_now(story: FounderStory) -> Snapshot:
    """Return the text that the listing's owner has in a story, without a former owner's."""
    return snapshot_of(story) if is_own(story) else {"title": "", "sections": {}}


def fields_of(snapshot: Snapshot) -> dict[str, str]:
    """Return all texts of a snapshot by name: `title` and every section. Empty if missing."""
    return {"title": snapshot["title"], **{name: snapshot["sections"].get(name, "") for name in SECTIONS}}


def record(
    *,
    story: FounderStory,
    before: Snapshot,
    action: StoryVersion.Action,
    by: Actor,
    reason: str = "",
    restored_from: StoryVersion | None = None,
) -> StoryVersion:
    """Record a story's changes since the snapshot `before`.

    A story with text but no history gets its text as the first version.
    """
    if any(before.values()) and not story.versions.exists():
        StoryVersion.keep(story=story, snapshot=before, action=Action.SAVED, by=SYSTEM)
    after, listing = snapshot_of(story), story.listing
    subject = Subject("story", story.pk, listing.company.owner_id, listing.site_id, {"listing_id": listing.pk})
    events.record(f"story.{action}", subject, by=by)
    return StoryVersion.keep(
        story=story,
        action=action,
        reason=reason,
        by=by,
        changes=changes_between(before, after),
        snapshot=after,
        restored_from=restored_from,
    )


def versions_of(story: FounderStory) -> QuerySet[StoryVersion]:
    """Return a story's versions, newest first, with authors and restored versions, without snapshots."""
    return (
        StoryVersion.objects.filter(story=story)
        .select_related("author", "restored_from")
        .defer("snapshot", "restored_from__snapshot", "restored_from__changes")
        .order_by("-id")
    )


def with_other_words(story: FounderStory, versions: Iterable[StoryVersion]) -> set[int]:
    """Return the IDs of versions that differ from the current text."""
    result = StoryVersion.objects.filter(story=story, pk__in=[version.pk for version in versions])
    return set(result.exclude(snapshot=words_of_now(story)).values_list("pk", flat=True))


def changes_between(before: Snapshot, after: Snapshot) -> list[Change]:
    """Return the differences of two snapshots, in the story's order. Missing texts are empty."""
    return versions.changes_between(fields_of(before), fields_of(after))


def differences_of(changes: Iterable[Change]) -> list[Difference]:
    """Return a story's changes under its page's headings."""
    return [difference(label_of(change["field"]), change["before"], change["after"]) for change in changes]


def label_of(field: str) -> str:
    """Return a section's heading, or another field's name."""
    return SECTIONS.get(field) or field.capitalize()


def is_beginning(version: StoryVersion) -> bool:
    """Return whether a version is the text from which the history began."""
    return version.via == SYSTEM.via and version.action == Action.SAVED and not version.changes


def reason_shown(version: StoryVersion, *, owner: User) -> str:
    """Return the reason of an act for the listing's owner, unless an earlier owner gave it."""
    is_meant_for_them = version.via == Via.ADMIN or version.author_id == owner.pk
    return version.reason if is_meant_for_them else ""
