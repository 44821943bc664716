"""What blocks a listing's launch, and the owner's next steps."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from apps.accounts.founders.completeness import missing_profile_parts
from apps.core.text.dates import date_text, moment_text
from apps.core.text.weeks import Week
from apps.core.web.hosts import display_url
from apps.listings.guidance.badge_status import NO_WEEK_FREE, badge_message, is_checking
from apps.listings.models import Listing

BadgeState = Listing.BadgeState
Plan = Listing.Plan
Status = Listing.Status


@dataclass(frozen=True, slots=True)
class Blocker:
    """One thing the owner has to do: `code` is badge or profile, `url` where to do it."""

    code: str
    message: str
    url: str


def has_badge(listing: Listing) -> bool:
    """Return whether the last readable check found the badge. A page that could not be read changes nothing."""
    return listing.badge_seen_at is not None and listing.badge_missing_since is None


def lose_at(listing: Listing) -> datetime | None:
    """Return when a queued listing without its badge loses its week. None if it isn't at risk."""
    is_queued = listing.status == Status.SCHEDULED and listing.plan == Plan.FREE
    if not is_queued or listing.badge_missing_since is None:
        return None
    return listing.badge_missing_since + timedelta(days=listing.site.badge_grace_days)


def blockers(listing: Listing) -> list[Blocker]:
    """Return what a free launch still waits for. Empty in every status but awaiting_badge."""
    if listing.status != Status.AWAITING_BADGE:
        return []
    result = []
    if not has_badge(listing):
        message = (
            f"Add the {listing.site} badge to {display_url(listing.company.website)}, linked to {listing.page_url}."
        )
        if listing.badge_result or is_checking(listing):
            message += f" {badge_message(listing)}"
        result.append(Blocker("badge", message, _badges_url(listing)))
    if missing := missing_profile_parts(listing.company.owner, site=listing.site):
        message = f"Complete your founder profile: {', '.join(missing)}."
        result.append(Blocker("profile", message, listing.site.url("/account/profile")))
    return result


def is_being_queued(listing: Listing) -> bool:
    """Return whether nothing is missing and a worker is assigning a week, unless every week is full."""
    is_waiting = listing.status == Status.AWAITING_BADGE and listing.badge_result != NO_WEEK_FREE
    return is_waiting and not blockers(listing)


def notes_on_submitting(listing: Listing) -> list[str]:
    """Return a note for an owner who lists a company again, on another site."""
    if listing.company.listings.exclude(pk=listing.pk).exists():
        return ["This company was already listed, so its shared facts were not changed."]
    return []


def next_steps(listing: Listing) -> list[str]:
    """Return what the owner can do now, as sentences with operation names and page URLs."""
    return [*_STEPS[Status(listing.status)](listing), *_story_ahead(listing), *_refused_pictures(listing)]


def story_steps(story: Any) -> list[str]:
    """Return when a published story becomes public, as a sentence. Empty for a draft and for a public one."""
    if story.published_at is None or story.is_shown:
        return []
    if story.public_from:
        return [f"Public on {date_text(story.public_from)}, when the listing launches."]
    return [
        _STORY_WITHOUT_WEEK.get(story.listing.status) or f"Not public while the listing is {story.listing.state_words}."
    ]


_STORY_WITHOUT_WEEK = {
    Status.DRAFT: "Public once the listing launches. Call choose_free_listing, or buy the product launch.",
    Status.IN_REVIEW: "Public once the listing launches.",
    Status.AWAITING_BADGE: "Public once the listing launches. Clear the blockers to get a launch week.",
}


def _story_ahead(listing: Listing) -> list[str]:
    """Return the same as a step, for a listing on the way to its launch."""
    story = listing.own_story
    if story is None or listing.status not in Listing.LAUNCHABLE:
        return []
    return [f"The founder story is published. {step}" for step in story_steps(story)]


def _refused_pictures(listing: Listing) -> list[str]:
    """Return why pictures aren't shown, and what to send instead."""
    refused = [picture for picture in listing.company.own_pictures() if picture.problem]
    return [
        f"Replace {picture.url} in {picture.field} with update_my_listing. {picture.problem}"
        + (" Visitors see the previous picture until then." if picture.former else "")
        for picture in refused
    ]


def _draft(listing: Listing) -> list[str]:
    steps = [
        (
            f"Launch free with choose_free_listing or on {_launch_url(listing)}. Needs the {listing.site} "
            f"badge on {display_url(listing.company.website)}. Get the code with get_badges or on "
            f"{_badges_url(listing)}."
        ),
        (
            "Or launch paid, without a badge: buy the product launch with create_checkout. Choose a "
            "week, or `now` to go live immediately for the rest of this week."
        ),
    ]
    if missing := missing_profile_parts(listing.company.owner, site=listing.site):
        where = listing.site.url("/account/profile")
        steps.insert(
            1, f"To launch free, complete your founder profile with update_profile or on {where}: {', '.join(missing)}."
        )
    return steps


def _in_review(listing: Listing) -> list[str]:
    return ["In review. You'll get an email with the result."]


def _rejected(listing: Listing) -> list[str]:
    return [
        f"The listing was rejected{_because(listing)}",
        f"If this is a mistake, contact {listing.site.admin_contact}.",
    ]


def _awaiting_badge(listing: Listing) -> list[str]:
    steps = ["Clear the blockers. The listing then joins the launch queue."]
    if is_being_queued(listing):
        steps = ["Ready. The listing is joining the launch queue. Call get_my_listing in a moment."]
    elif not blockers(listing):
        steps = [
            (
                "Ready. The listing joins the launch queue within a minute if a week has a free spot. "
                f"{listing.badge_result}"
            ).strip()
        ]
    elif is_checking(listing):
        steps.append("Badge check in progress. Call get_my_listing in a few seconds.")
    elif not has_badge(listing):
        soon = f"at about {moment_text(listing.badge_check_at)}" if _is_ahead(listing.badge_check_at) else "soon"
        steps.append(f"The next badge check is {soon}. Call choose_free_listing to check now.")
    paid = (
        f"Or buy the product launch, without a badge or profile: call create_checkout or open {_launch_url(listing)}."
    )
    return [*steps, paid]


def _scheduled(listing: Listing) -> list[str]:
    week = Week.parse(listing.launch_week)
    steps = [f"Goes live in {week}, on {date_text(week.starts_at)} at 00:00 UTC."]
    if listing.plan == Plan.FREE:
        steps.append(_badge_until_launch(listing))
    return [*steps, f"To change the week, call move_launch or open {listing.site.url(f'{listing.path}/move')}."]


def _badge_until_launch(listing: Listing) -> str:
    website, until = display_url(listing.company.website), lose_at(listing)
    if until is not None:
        return (
            f"The badge is missing on {website}. Add it again by {moment_text(until)} to keep your week. "
            f"Get the code with get_badges or on {_badges_url(listing)}, then call choose_free_listing to check."
        )
    if listing.badge_state == BadgeState.UNKNOWN:
        return f"Keep the badge on {website} until launch. {badge_message(listing)} Your week is safe."
    return f"Keep the badge on {website} until launch. Last found on {moment_text(listing.badge_seen_at)}."


def _live(listing: Listing) -> list[str]:
    steps = ["Post an update with post_listing_update, and add milestones with add_milestone."]
    if listing.week == Week.of(timezone.now()):
        last_day = listing.week.ends_at - timedelta(days=1)
        steps.insert(0, f"Ask your users to vote by {date_text(last_day)} at 23:59 UTC.")
    if listing.is_upgradable:
        upgrade = "Show milestones, gallery and FAQs with the paid plan: buy the product launch"
        steps.append(f"{upgrade} without a week with create_checkout, or on {_launch_url(listing)}.")
    return [*steps, *_story(listing), f"Get your badges with get_badges or on {_badges_url(listing)}."]


def _story(listing: Listing) -> list[str]:
    story, url = listing.own_story, listing.site.url(f"{listing.path}/story")
    if story is None:
        return [f"Write your founder story with set_founder_story, or on {url}."]
    if story.status == "published" or story.taken_down_at or not story.publish_when_ready:
        return []
    return [f"Finish your founder story on {url}. Call set_founder_story without fields to see what is missing."]


def _archived(listing: Listing) -> list[str]:
    if listing.merged_into_id:
        return ["The listing was merged into another listing of the company. Its URL redirects there."]
    return ["The listing is archived permanently and no longer public."]


def _suspended(listing: Listing) -> list[str]:
    return [
        f"The listing was suspended{_because(listing)}",
        f"Contact {listing.site.admin_contact} once the cause is resolved.",
    ]


_STEPS: dict[Status, Callable[[Listing], list[str]]] = {
    Status.DRAFT: _draft,
    Status.IN_REVIEW: _in_review,
    Status.REJECTED: _rejected,
    Status.AWAITING_BADGE: _awaiting_badge,
    Status.SCHEDULED: _scheduled,
    Status.LIVE: _live,
    Status.ARCHIVED: _archived,
    Status.SUSPENDED: _suspended,
}


def _because(listing: Listing) -> str:
    return f": {listing.status_reason}" if listing.status_reason else "."


def _badges_url(listing: Listing) -> str:
    return listing.site.url(f"{listing.path}/badges")


def _launch_url(listing: Listing) -> str:
    return listing.site.url(f"{listing.path}/launch")


def _is_ahead(moment: datetime | None) -> bool:
    return moment is not None and moment > timezone.now()
