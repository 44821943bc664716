"""Writing, publishing and taking down founder stories."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import SYSTEM, Actor
from apps.accounts.founders.completeness import profile_of
from apps.core.errors import Conflict, FieldProblem, Unprocessable
from apps.listings.holding import Held, check_editable, hold, why_not_editable
from apps.listings.models import Listing
from apps.stories import history
from apps.stories.models import FounderStory, StoryVersion
from apps.stories.rules import Gap, Rules, Words, gaps
from apps.stories.sections import MAX_SECTION_CHARACTERS, SECTIONS

logger = logging.getLogger(__name__)

Action = StoryVersion.Action


class NotPublished(Conflict):
    code = "not_published"
    title = "The story is not published"


class NotHeld(Conflict):
    code = "not_held"
    title = "The site team has not taken the story down"


class AlreadyHeld(Conflict):
    code = "already_held"
    title = "The site team has taken the story down already"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A story after an act, and what keeps it from being published; no gaps once it is."""

    story: FounderStory
    gaps: list[Gap] = field(default_factory=list)


def editor_url(listing: Listing) -> str:
    """Where the owner writes the story."""
    return listing.site.url(f"{listing.path}/story")


def story_url(story: FounderStory) -> str:
    """The public page of a published story, otherwise its editor."""
    if story.published_at:
        return story.listing.site.url(reverse("story", args=[story.listing.slug]))
    return editor_url(story.listing)


def missing(story: FounderStory) -> list[Gap]:
    """What keeps a story from being published by the rules of now; nothing for one that is."""
    return [] if story.published_at else _gaps(story)


@transaction.atomic
def set_story(
    *,
    listing: Listing,
    fields: Mapping[str, str],
    publish: bool = True,
    by: Actor,
    restored_from: StoryVersion | None = None,
) -> Outcome:
    """Change the fields sent, `title` and names of sections, and publish the story when it meets the site's rules.

    Otherwise it is a draft, and the outcome says what is missing; a draft that was to be published is so by itself
    once nothing is. With `publish` False a draft stays one. A published story may also stay by the rules under which
    it was published. Raises NotEditable (409) and Unprocessable (422) with the problems by field.
    """
    held = hold(listing.company_id)
    own = held.listing(listing.pk)
    check_editable(own, by)
    _check_lengths(own, fields)
    story = _story_of(held, own, by)
    was_published = story.published_at is not None and story.author_id == by.account.pk
    before = history.snapshot_of(story)
    _write(story, fields)
    story.author = by.account
    story.is_wanted = publish or was_published
    found = _judge(story, was_published=was_published)
    action = _action(was_published, story)
    is_new = story.pk is None
    story.save()
    if is_new or history.snapshot_of(story) != before or action in {Action.PUBLISHED, Action.RETURNED}:
        _keep(story, before, action, by=by, restored_from=restored_from)
    return Outcome(story, found)


@transaction.atomic
def unpublish_story(*, listing: Listing, reason: str, by: Actor) -> FounderStory:
    """Take the owner's own story off the site; it stays a draft until its owner publishes it again.

    Raises NotPublished and NotEditable (409).
    """
    held = hold(listing.company_id)
    own = held.listing(listing.pk)
    check_editable(own, by)
    story = _held_story(held, own)
    if story is None or story.published_at is None:
        raise NotPublished("The story is a draft already.")
    story.published_at, story.is_wanted = None, False
    story.save()
    _keep(story, history.snapshot_of(story), Action.UNPUBLISHED, by=by, reason=reason)
    return story


@transaction.atomic
def take_down_story(*, story: FounderStory, reason: str, by: Actor) -> FounderStory:
    """Take a story off the site as its team wants it; it cannot be published until the team releases it.

    Raises AlreadyHeld (409).
    """
    held = hold(story.listing.company_id)
    story = _held_story(held, held.listing(story.listing_id)) or story
    if story.held_at is not None:
        raise AlreadyHeld("The story is down already.")
    story.is_wanted = story.is_wanted or story.published_at is not None
    story.published_at, story.held_at, story.held_reason = None, timezone.now(), reason
    story.save()
    _keep(story, history.snapshot_of(story), Action.HELD, by=by, reason=reason)
    return story


@transaction.atomic
def release_story(*, story: FounderStory, by: Actor) -> FounderStory:
    """End what `take_down_story` began; the story is published again when it was to be and meets the rules.

    Raises NotHeld (409).
    """
    held = hold(story.listing.company_id)
    story = _held_story(held, held.listing(story.listing_id)) or story
    if story.held_at is None:
        raise NotHeld("The story is not down.")
    story.held_at, story.held_reason = None, ""
    if story.is_wanted:
        _judge(story, was_published=False)
    story.save()
    _keep(story, history.snapshot_of(story), Action.RELEASED, by=by)
    return story


@transaction.atomic
def restore_story(*, version: StoryVersion, by: Actor) -> Outcome:
    """Put the words of a version back, as a new version; a draft stays a draft.

    Raises what `set_story` does: the limits are those of now.
    """
    snapshot = version.snapshot
    fields = {"title": snapshot["title"], **{name: snapshot["sections"].get(name, "") for name in SECTIONS}}
    listing = version.story.listing
    return set_story(listing=listing, fields=fields, publish=False, by=by, restored_from=version)


@transaction.atomic
def publish_if_ready(pk: int) -> bool:
    """Hold a waiting draft against the rules of now, and publish it when it meets them; whether it was published."""
    listing = Listing.objects.get(founder_story=pk)
    held = hold(listing.company_id)
    own = held.listing(listing.pk)
    story = _held_story(held, own)
    if story is None or story.published_at or story.held_at or not story.is_wanted:
        return False
    is_open = not why_not_editable(own) and story.author_id == held.company.owner_id
    if is_open:
        _judge(story, was_published=False)
    story.judged_at = timezone.now()
    story.save()
    if story.published_at is None:
        return False
    _keep(story, history.snapshot_of(story), Action.PUBLISHED, by=SYSTEM)
    return True


def _story_of(held: Held, listing: Listing, by: Actor) -> FounderStory:
    return _held_story(held, listing) or FounderStory(listing=listing, author=by.account)


def _held_story(held: Held, listing: Listing) -> FounderStory | None:
    """The listing's story as it is now, with the rows that are held; the company's lock is the story's."""
    story = FounderStory.objects.filter(listing=listing).first()
    if story is not None:
        listing.company = held.company
        story.listing = listing
    return story


def _check_lengths(listing: Listing, fields: Mapping[str, str]) -> None:
    limits = {"title": listing.site.story_title_max_characters, **dict.fromkeys(SECTIONS, MAX_SECTION_CHARACTERS)}
    problems = [
        FieldProblem("max_length", f"This has {len(text):,} characters, {limits[name]:,} at most.", f"/{name}")
        for name, text in fields.items()
        if len(text) > limits[name]
    ]
    if problems:
        raise Unprocessable("Some texts are too long; nothing was saved.", errors=problems)


def _write(story: FounderStory, fields: Mapping[str, str]) -> None:
    before = history.snapshot_of(story)
    story.title = fields.get("title", story.title)
    sections = {**story.sections, **{name: text for name, text in fields.items() if name in SECTIONS}}
    story.sections = {name: sections[name] for name in SECTIONS if sections.get(name)}
    if history.snapshot_of(story) != before:
        story.updated_at = timezone.now()


def _judge(story: FounderStory, *, was_published: bool) -> list[Gap]:
    """Set whether the story is published; returns what it lacks when it is not."""
    now = timezone.now()
    story.judged_at = now
    found = _gaps(story)
    if was_published and found and story.published_rules and story.held_at is None:
        if not _gaps(story, Rules.from_json(story.published_rules)):
            return []
    elif not found and story.is_wanted:
        story.published_rules = Rules.of(story.listing.site).to_json()
        story.published_at = (story.published_at if was_published else None) or now
        return []
    story.published_at = None
    return found


def _gaps(story: FounderStory, rules: Rules | None = None) -> list[Gap]:
    listing = story.listing
    found = gaps(
        Words(story.title, story.sections),
        profile=profile_of(listing.company.owner),
        site=listing.site,
        editor_url=editor_url(listing),
        rules=rules,
    )
    if story.held_at is not None:
        where = f"{editor_url(listing)}/history"
        reason = f"The site team took the story down: {story.held_reason} Write to the team once that is settled."
        found.insert(0, Gap(reason, where))
    return found


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
) -> StoryVersion:
    version = history.record(
        story=story, before=before, action=action, by=by, reason=reason, restored_from=restored_from
    )
    account = by.user.pk if by.user else None
    logger.info("story changed", extra={"story": story.pk, "action": str(action), "account": account})
    return version
