"""What stands between a listing and its launch, and what the owner can do next."""

from dataclasses import dataclass

from apps.accounts.profiles import missing_profile_parts
from apps.listings.models import Listing

Status = Listing.Status


@dataclass(frozen=True, slots=True)
class Blocker:
    """One thing the owner has to do: `code` is badge or profile, `url` where it is done."""

    code: str
    message: str
    url: str


def blockers(listing: Listing) -> list[Blocker]:
    """What a free launch still waits for; empty in every other status than awaiting_badge."""
    if listing.status != Status.AWAITING_BADGE:
        return []
    found = []
    if listing.badge_seen_at is None:
        message = f"Put the {listing.site} badge on {listing.company.website} as a link to {listing.page_url}."
        if listing.badge_result:
            message += f" Last check: {listing.badge_result}"
        found.append(Blocker("badge", message, listing.site.url(f"{listing.path}/badge")))
    if missing := missing_profile_parts(listing.company.owner, site=listing.site):
        message = f"Complete your founder profile: {', '.join(missing)}."
        found.append(Blocker("profile", message, listing.site.url("/account/profile")))
    return found


def notes_on_submitting(listing: Listing) -> list[str]:
    """What an owner should know who listed a company again, on another site."""
    if listing.company.listings.exclude(pk=listing.pk).exists():
        return ["The company was listed before: its facts, shared by all sites, stayed as they are."]
    return []


def next_steps(listing: Listing) -> list[str]:
    """What the owner can do now, in sentences."""
    match listing.status:
        case Status.DRAFT:
            return [
                "Choose the free plan with choose_free_listing: it queues for a launch week some weeks ahead.",
                "Or buy the product launch with create_checkout: live at once or in a week of your choice.",
            ]
        case Status.IN_REVIEW:
            return ["The site team reviews the listing; there is nothing to do."]
        case Status.AWAITING_BADGE:
            return [
                "Clear the blockers: the listing then queues by itself for the next week with a free place.",
                "Or buy the product launch, which needs neither badge nor profile.",
            ]
        case Status.SCHEDULED:
            keep = " Keep the badge on your site until then." if listing.plan == Listing.Plan.FREE else ""
            return [f"It goes live in {listing.launch_week}.{keep}"]
        case Status.LIVE:
            return ["Post an update, add milestones, and tell your users to vote."]
        case Status.SUSPENDED | Status.REJECTED:
            return ["Write to the site team."]
    return []
