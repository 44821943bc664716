"""The version history of stories: what each act made of one, by whom and by which way.

Whoever records holds the story's company (`apps.listings.holding.hold`).
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from apps.accounts.actors import Actor
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.sections import SECTIONS

Snapshot: TypeAlias = dict[str, Any]


def snapshot_of(story: FounderStory) -> Snapshot:
    """The words of a story: `{title, sections}`."""
    return {"title": story.title, "sections": dict(story.sections)}


def record(
    *,
    story: FounderStory,
    before: Snapshot,
    action: StoryVersion.Action,
    by: Actor,
    reason: str = "",
    restored_from: StoryVersion | None = None,
) -> StoryVersion:
    """Keep what became of a story since the snapshot `before`."""
    return StoryVersion.objects.create(
        story=story,
        action=action,
        reason=reason,
        author=by.user,
        via=by.via,
        credential=by.credential[:255],
        changes=_differences(before, snapshot_of(story)),
        snapshot=snapshot_of(story),
        restored_from=restored_from,
    )


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    old = {"title": before["title"], **before["sections"]}
    new = {"title": after["title"], **after["sections"]}
    return [
        {"field": name, "before": old.get(name, ""), "after": new.get(name, "")}
        for name in ("title", *SECTIONS)
        if old.get(name, "") != new.get(name, "")
    ]
