"""Write, publish and take down founder stories.

Every change first locks the listing's company (`listings.services.locks`), which also locks the story.
"""

import logging
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.models import User
from apps.blocklists.matching import check_texts
from apps.core.api.serializers import clean_text
from apps.core.errors import Conflict, FieldProblem, Unprocessable
from apps.listings.models import Listing
from apps.listings.services.locks import LockedCompany, NotEditable, check_editable, lock_company, why_not_editable
from apps.moderation.models import Decision
from apps.moderation.services.decisions import keep_decision
from apps.stories import emails
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.rules.publication import apply_rules, editor_url, gaps_of, missing, not_wanted, stays_published
from apps.stories.rules.site_rules import Gap
from apps.stories.sections import MAX_SECTION_CHARACTERS, OLD_NAMES, SECTIONS
from apps.stories.services import history

__all__ = [
    "MAX_REASON_CHARACTERS",
    "AlreadyTakenDown",
    "NotTakenDown",
    "NotPublished",
    "Outcome",
    "editor_url",
    "missing",
    "own_story",
    "publish_if_ready",
    "release_story",
    "restore_story",
    "set_founder_story",
    "take_down_story",
    "unpublish_story",
    "would_return",
]

logger = logging.getLogger(__name__)

Action = StoryVersion.Action

MAX_REASON_CHARACTERS = 300


class NotPublished(Conflict):
    code = "not_published"
    title = "Story not published"


class NotTakenDown(Conflict):
    code = "not_taken_down"
    title = "Story not taken down"


class AlreadyTakenDown(Conflict):
    code = "already_taken_down"
    title = "Story already taken down"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A story after an action, what keeps it from being published, and whether it was published before."""

    story: FounderStory
    gaps: list[Gap] = field(default_factory=list)
    was_published: bool = False


def own_story(listing: Listing) -> FounderStory | None:
    """Return the story of the listing's current owner. A former owner's text isn't theirs."""
    story: FounderStory | None = listing.own_story
    return story


@transaction.atomic
def set_founder_story(
    *,
    listing: Listing,
    fields: Mapping[str, str],
    publish: bool | None = True,
    by: Actor,
    restored_from: StoryVersion | None = None,
) -> Outcome:
    """Change the fields sent (`title` and sections), and publish the story if it meets the site's rules.

    Otherwise it is a draft, and the outcome says what is missing. A draft meant for publication is published
    automatically once complete. With `publish` False a draft stays one. With None it is published only if already
    intended. A published story stays published while its text stays, by its earlier rules. A new owner starts without
    the former owner's text. An empty story is not kept. Texts must be cleaned. Raises NotEditable (409) and
    Unprocessable (422) with the problems by the names sent.
    """
    locked = lock_company(listing.company_id)
    own = locked.listing(listing.pk)
    check_editable(own, by)
    row = _row(locked, own)
    story = row or FounderStory(listing=own, author=locked.company.owner)
    before = history.snapshot_of(story)
    is_new = row is None or row.author_id != locked.company.owner_id
    if is_new:
        _begin(story, locked.company.owner)
    _check_lengths(story, fields)
    check_texts(fields, site=own.site, address=by.address)
    was_published = story.published_at is not None
    _write(story, fields)
    if is_new and not _has_words(story):
        return Outcome(story, gaps_of(story))
    if publish is not None:
        story.publish_when_ready = publish or was_published
    is_changed = history.snapshot_of(story) != before
    result = [] if was_published and not is_changed else apply_rules(story)
    action = _action(was_published, story)
    story.save()
    if is_new or is_changed or action == Action.PUBLISHED:
        _keep(story, before, action, by=by, restored_from=restored_from)
    if publish is None and not result and story.published_at is None:
        result = [not_wanted(story)]
    return Outcome(story, result, was_published)


def would_return(*, story: FounderStory, fields: Mapping[str, str]) -> list[Gap]:
    """Return what would turn a published story back into a draft with these fields. Empty if it stays published."""
    changed = copy(story)
    _write(changed, fields)
    if story.published_at is None or history.snapshot_of(changed) == history.snapshot_of(story):
        return []
    result = gaps_of(changed)
    return [] if stays_published(changed) else result


@transaction.atomic
def unpublish_story(*, listing: Listing, reason: str, by: Actor) -> FounderStory:
    """Unpublish the owner's story. It stays a draft until they publish it again.

    Raises NotPublished and NotEditable (409), and Unprocessable (422) for a reason that is too long.
    """
    locked = lock_company(listing.company_id)
    own = locked.listing(listing.pk)
    check_editable(own, by)
    why = _reason(reason)
    story = _row(locked, own)
    if story is None or story.author_id != locked.company.owner_id or story.published_at is None:
        raise NotPublished("The story is already a draft.")
    story.published_at, story.published_rules, story.publish_when_ready = None, {}, False
    story.save()
    _keep(story, history.snapshot_of(story), Action.UNPUBLISHED, by=by, reason=why)
    return story


@transaction.atomic
def take_down_story(*, story: FounderStory, reason: str, note: str = "", by: Actor) -> FounderStory:
    """Take a story down. It can't be published until a site admin restores it.

    Raises AlreadyTakenDown (409), and Unprocessable (422) without a reason or for one that is too long.
    """
    story = _lock_story(story.pk)
    if story.taken_down_at is not None:
        raise AlreadyTakenDown("The story is already taken down.")
    why = _reason(reason)
    if not why:
        raise Unprocessable("Enter a reason. The owner sees it.", pointer="/reason", code="required")
    story.publish_when_ready = story.publish_when_ready or story.published_at is not None
    story.published_at, story.taken_down_at, story.taken_down_reason = None, timezone.now(), why
    story.save()
    decision = keep_decision("story", story, Decision.Action.REMOVED, reason=why, note=note, by=by)
    _keep(story, history.snapshot_of(story), Action.TAKEN_DOWN, by=by, reason=why, decision=decision)
    return story


@transaction.atomic
def release_story(*, story: FounderStory, note: str = "", by: Actor) -> FounderStory:
    """Undo `take_down_story`. The story is published again if intended and if it meets the rules.

    Either the current rules or those at the takedown apply. A former owner's text stays a draft, because it isn't
    judged by the new owner's profile. Raises NotTakenDown (409).
    """
    story = _lock_story(story.pk)
    if story.taken_down_at is None:
        raise NotTakenDown("The story is not taken down.")
    story.taken_down_at, story.taken_down_reason = None, ""
    if history.is_own(story):
        apply_rules(story)
    story.save()
    keep_decision("story", story, Decision.Action.RESTORED, note=note, by=by)
    _keep(story, history.snapshot_of(story), Action.RELEASED, by=by)
    return story


@transaction.atomic
def restore_story(*, version: StoryVersion, by: Actor) -> Outcome:
    """Restore a version's text as a new version. A draft stays a draft.

    Raises what `set_founder_story` does. Current limits apply.
    """
    snapshot = version.snapshot
    fields = {"title": snapshot["title"], **{name: snapshot["sections"].get(name, "") for name in SECTIONS}}
    listing = version.story.listing
    return set_founder_story(listing=listing, fields=fields, publish=False, by=by, restored_from=version)


@transaction.atomic
def publish_if_ready(pk: int) -> bool:
    """Publish a pending draft if it meets the current rules. Returns whether it did."""
    story = _lock_story(pk)
    if story.published_at or story.taken_down_at or not story.publish_when_ready:
        return False
    if why_not_editable(story.listing) or story.author_id != story.listing.company.owner_id:
        story.rules_applied_at = timezone.now()
    else:
        apply_rules(story)
    story.save()
    if story.published_at is None:
        return False
    _keep(story, history.snapshot_of(story), Action.PUBLISHED, by=SYSTEM)
    return True


def _lock_story(pk: int) -> FounderStory:
    """Lock the company and return the story's current state. Raises NotEditable (409) if it is gone or moved."""
    listing = Listing.objects.filter(founder_story=pk).first()
    if listing is None:
        raise NotEditable("The story no longer exists.")
    locked = lock_company(listing.company_id)
    story = _row(locked, locked.listing(listing.pk))
    if story is None or story.pk != pk:
        raise NotEditable("The listing was just merged with another one. Try again.")
    return story


def _row(locked: LockedCompany, listing: Listing) -> FounderStory | None:
    """Return the listing's current story, with its rows locked."""
    story = FounderStory.objects.filter(listing=listing).first()
    if story is not None:
        listing.company = locked.company
        story.listing = listing
    return story


def _check_lengths(story: FounderStory, fields: Mapping[str, str]) -> None:
    """Accept texts saved earlier, because the site may have lowered its limit since."""
    most = story.listing.site.story_title_max_characters
    limits = {"title": most, **dict.fromkeys(SECTIONS, MAX_SECTION_CHARACTERS)}
    there = history.fields_of(history.snapshot_of(story))
    problems = []
    for sent, text in fields.items():
        name = OLD_NAMES.get(sent, sent)
        if len(text) > limits[name] and text != there[name]:
            detail = f"Use up to {limits[name]:,} characters. This has {len(text):,}."
            problems.append(FieldProblem("max_length", detail, f"/{sent}"))
    if problems:
        raise Unprocessable("Some texts are too long. Nothing was saved.", errors=problems)


def _reason(reason: str) -> str:
    why = clean_text(reason)
    if len(why) > MAX_REASON_CHARACTERS:
        detail = f"Use up to {MAX_REASON_CHARACTERS} characters for the reason. This has {len(why):,}."
        raise Unprocessable(detail, pointer="/reason", code="max_length")
    return why


def _begin(story: FounderStory, owner: User) -> None:
    """Start without a former owner's text, which stays in the history.

    A takedown stays, or changing the owner would lift it.
    """
    story.author, story.title, story.sections = owner, "", {}
    story.first_published_at = None
    story.published_at, story.published_rules, story.publish_when_ready = None, {}, True


def _write(story: FounderStory, fields: Mapping[str, str]) -> None:
    before = history.snapshot_of(story)
    named = {OLD_NAMES.get(name, name): text for name, text in fields.items()}
    story.title = named.pop("title", story.title)
    sections = {**story.sections, **named}
    story.sections = {name: sections[name] for name in SECTIONS if sections.get(name)}
    if history.snapshot_of(story) != before:
        story.updated_at = timezone.now()


def _has_words(story: FounderStory) -> bool:
    return bool(story.title or story.sections)


def _action(was_published: bool, story: FounderStory) -> StoryVersion.Action:
    if story.published_at:
        return Action.EDITED if was_published else Action.PUBLISHED
    return Action.RETURNED if was_published else Action.SAVED


def _keep(
    story: FounderStory,
    before: history.Snapshot,
    action: StoryVersion.Action,
    *,
    by: Actor,
    reason: str = "",
    restored_from: StoryVersion | None = None,
    decision: Decision | None = None,
) -> StoryVersion:
    version = history.record(
        story=story, before=before, action=action, by=by, reason=reason, restored_from=restored_from
    )
    emails.notify(version, decision=decision)
    account = by.user.pk if by.user else None
    logger.info("story changed", extra={"story": story.pk, "action": str(action), "account": account})
    return version
