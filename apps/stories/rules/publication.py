"""Applying a site's rules to a story: whether it is published, what it lacks, and where it is found.

The listing of the story comes with its site, company and owner.
"""

from django.utils import timezone

from apps.accounts.founders.completeness import profile_of
from apps.listings.models import Listing
from apps.stories.models import FounderStory
from apps.stories.rules.site_rules import Gap, Rules, Words, gaps


def editor_url(listing: Listing) -> str:
    """Where the owner writes the story."""
    return listing.site.url(f"{listing.path}/story")


def missing(story: FounderStory) -> list[Gap]:
    """What keeps a story from being published by the rules of now; nothing for one that is."""
    return [] if story.published_at else gaps_of(story)


def gaps_of(story: FounderStory, rules: Rules | None = None) -> list[Gap]:
    """Return what a story lacks by the current or the given rules. A takedown comes first."""
    listing = story.listing
    found = gaps(
        Words(story.title, story.sections),
        profile=profile_of(listing.company.owner),
        site=listing.site,
        editor_url=editor_url(listing),
        rules=rules,
    )
    return [*_taken_down_gaps(story), *found]


def apply_rules(story: FounderStory) -> list[Gap]:
    """Set whether a story is published; returns what it lacks, which for one that is published is nothing.

    It is published when it is wanted, not taken down, and meets the rules of now. One that was published may as well
    stay by the rules of then. One that comes back keeps the date it had, and its place among the others. The caller
    saves it.
    """
    # Before anything is read: what changes meanwhile is newer.
    story.rules_applied_at = timezone.now()
    found = gaps_of(story)
    if story.publish_when_ready and story.taken_down_at is None and (not found or stays_published(story)):
        story.published_rules = story.published_rules or Rules.of(story.listing.site).to_json()
        story.first_published_at = story.first_published_at or story.published_at or timezone.now()
        story.published_at = story.first_published_at
        return []
    story.published_at = None
    if story.taken_down_at is None:
        # While the story is taken down, keep its rules, so that a release finds what it was published by.
        story.published_rules = {}
    return found


def stays_published(story: FounderStory) -> bool:
    """Whether a story meets the rules that it was published by."""
    return bool(story.published_rules) and not gaps_of(story, Rules.from_json(story.published_rules))


def not_wanted(story: FounderStory) -> Gap:
    """What an owner sees when a draft lacks nothing but their decision to publish."""
    return Gap(
        (
            "The story meets all rules. You kept it as a draft, so publish it in the editor or send its "
            "title or a section with set_founder_story."
        ),
        editor_url(story.listing),
    )


def _taken_down_gaps(story: FounderStory) -> list[Gap]:
    if story.taken_down_at is None:
        return []
    reason = story.taken_down_reason
    end = "" if reason.endswith((".", "!", "?", "…")) else "."
    text = f"A moderator took the story down: {reason}{end} Contact the site admin once this is resolved."
    return [Gap(text, f"{editor_url(story.listing)}/history")]
