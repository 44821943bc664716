"""What is public and stands on a founder profile."""

from dataclasses import dataclass

from apps.accounts.founders.completeness import ProfileGap, profile_gaps
from apps.accounts.models import FounderProfile
from apps.sites.models import Site


@dataclass(frozen=True, slots=True)
class StandingStory:
    """A published story, and what its author's profile lacks by the rules of the story's site."""

    title: str
    site_name: str
    gaps: list[ProfileGap]


def published_stories(profile: FounderProfile) -> list[StandingStory]:
    """The published stories of the profile's account on all sites, the latest first.

    They stay public whatever becomes of the profile; only an edit holds them against the rules again.
    """
    account = profile.user
    found = account.founder_stories.filter(published_at__isnull=False, listing__company__owner=account)
    return [
        StandingStory(story.title, story.listing.site.name, profile_gaps(profile, site=story.listing.site))
        for story in found.select_related("listing__site").order_by("-published_at", "-pk")
    ]


def has_page(profile: FounderProfile, *, site: Site) -> bool:
    """Whether the site shows a page of the founder: it does beside a live listing."""
    return bool(profile.slug) and profile.user.companies.filter(listings__site=site, listings__status="live").exists()
