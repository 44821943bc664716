"""Apply a site's rules to a story: publication, missing parts, and date.

The story's listing is loaded with its site, company and owner.
"""

from django.utils import timezone

from apps.accounts.founders.completeness import get_profile
from apps.listings.models import Listing
from apps.stories.models import FounderStory
from apps.stories.rules.site_rules import Gap, Rules, Words, gaps


def editor_url(listing: Listing) -> str:
    """Return the URL of the story editor."""
    return listing.site.url(f"{listing.path}/story")


def missing(story: FounderStory) -> list[Gap]:
    """Return what keeps a story from being published by the current rules. Empty for a published one."""
    return [] if story.published_at else gaps_of(story)


def gaps_of(story: FounderStory, rules: Rules | None = None) -> list[Gap]:
    """Return what a story lacks by the current or the given rules. A takedown comes first."""
    listing = story.listing
    result = gaps(
        Words(story.title, story.sections),
        profile=get_profile(listing.company.owner),
        site=listing.site,
        editor_url=editor_url(listing),
        rules=rules,
    )
    return [*_taken_down_gaps(story), *result]


def apply_rules(story: FounderStory) -> list[Gap]:
    """Set whether a story is published. Returns what it lacks, empty for a published one.

    It is published if wanted, not taken down, and complete by the current rules, or by the earlier rules if it was
    published already. A republished story keeps its date and position. The caller saves it.
    """
    # Taken first, so that concurrent changes count as newer.
    story.rules_applied_at = timezone.now()
    result = gaps_of(story)
    if story.publish_when_ready and story.taken_down_at is None and (not result or stays_published(story)):
        story.published_rules = story.published_rules or Rules.of(story.listing.site).to_json()
        story.first_published_at = story.first_published_at or story.published_at or timezone.now()
        story.published_at = story.first_published_at
        return []
    story.published_at = None
    if story.taken_down_at is None:
        # A taken-down story keeps its rules for a later release.
        story.published_rules = {}
    return result


def stays_published(story: FounderStory) -> bool:
    """Return whether a story meets the rules it was published under."""
    return bool(story.published_rules) and not gaps_of(story, Rules.from_json(story.published_rules))


def not_wanted(story: FounderStory) -> Gap:
    """Return the gap of a complete draft that its owner hasn't published."""
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
    contact = f"Contact {story.listing.site.admin_contact} once this is resolved."
    text = f"A moderator took the story down: {reason}{end} {contact}"
    return [Gap(text, f"{editor_url(story.listing)}/history")]
