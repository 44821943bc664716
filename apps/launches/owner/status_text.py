"""Status texts of owner pages: the meaning of a status, and a link to the next step."""

from collections.abc import Callable
from dataclasses import dataclass, field

from apps.core.text.dates import moment_text, week_text
from apps.core.web.hosts import display_url
from apps.launches.calendar.launch_weeks import current_week
from apps.launches.owner.tasks import BEING_QUEUED, tasks_of
from apps.listings.guidance import blockers
from apps.listings.models import Listing
from apps.listings.services.sections import shows

Status = Listing.Status


@dataclass(frozen=True, slots=True)
class Link:
    """A page of the listing and its action. The main one is the next step."""

    label: str
    url: str
    is_main: bool = False


@dataclass(frozen=True, slots=True)
class StatusText:
    """A listing's status in a sentence, with links to the next steps."""

    text: str
    links: list[Link] = field(default_factory=list)
    warning: str = ""


def status_text(listing: Listing) -> StatusText:
    """Return the listing's status in words for its owner."""
    return _TEXTS[Status(listing.status)](listing)


def _draft(listing: Listing) -> StatusText:
    text = "Not public yet. Choose a free or paid launch."
    return StatusText(text, [_link(listing, "Choose a launch", "launch", is_main=True)])


def _in_review(listing: Listing) -> StatusText:
    return StatusText("In review. You'll get an email with the result.")


def _rejected(listing: Listing) -> StatusText:
    return StatusText(
        "Rejected and no longer editable. If this is a mistake, contact the site admin.", _contact(listing)
    )


def _awaiting_badge(listing: Listing) -> StatusText:
    tasks = tasks_of(listing)
    if tasks:
        text = "It joins the launch queue when this is done."
    elif blockers.is_being_queued(listing):
        text = BEING_QUEUED
    else:
        text = "Ready. It joins the launch queue within a minute if a week has a free spot."
    links = [Link(task.label, task.url, is_main=task is tasks[0]) for task in tasks]
    return StatusText(text, [*links, _link(listing, "Launch options", "launch")])


def _scheduled(listing: Listing) -> StatusText:
    text = f"Goes live in {week_text(listing.week)}."
    move = _link(listing, "Move launch", "move")
    until = blockers.lose_at(listing)
    if until is None:
        return StatusText(text, [_share(listing), move, _link(listing, "Badge code", "badges")])
    warning = (
        f"The badge is missing on {display_url(listing.company.website)}. Add it again by {moment_text(until)} "
        "to keep your week."
    )
    badge = _link(listing, "Add the badge", "badges", is_main=True)
    return StatusText(text, [badge, _share(listing, is_main=False), move], warning)


def _live(listing: Listing) -> StatusText:
    links = [_share(listing)]
    if listing.is_upgradable:
        links.append(_link(listing, "Upgrade to paid", "launch"))
    return StatusText("Edits are public immediately.", links)


def _archived(listing: Listing) -> StatusText:
    return StatusText("Archived permanently and no longer public.")


def _suspended(listing: Listing) -> StatusText:
    text = "Suspended and not public. Contact the site admin once the cause is resolved."
    return StatusText(text, _contact(listing))


_TEXTS: dict[Status, Callable[[Listing], StatusText]] = {
    Status.DRAFT: _draft,
    Status.IN_REVIEW: _in_review,
    Status.REJECTED: _rejected,
    Status.AWAITING_BADGE: _awaiting_badge,
    Status.SCHEDULED: _scheduled,
    Status.LIVE: _live,
    Status.ARCHIVED: _archived,
    Status.SUSPENDED: _suspended,
}


def way_back(listing: Listing) -> str:
    """Return how the owner of an upcoming listing can put off or call off its launch, as a text. Empty otherwise."""
    if listing.status == Status.AWAITING_BADGE:
        return "Without the badge on your website, the listing doesn't launch."
    if listing.status != Status.SCHEDULED:
        return ""
    if listing.plan == Listing.Plan.PAID:
        return "Move the launch to another week, or ask for a refund, which calls it off."
    days = listing.site.badge_grace_days
    grace = f"{days} day{'' if days == 1 else 's'}"
    return (
        "Move the launch to another week, or remove the badge from your website. The listing leaves its week when the "
        f"badge has been missing for {grace}."
    )


def suggestions(listing: Listing, *, has_updates: bool) -> list[Link]:
    """Return what a live listing still lacks to attract readers, each with the page to add it."""
    if listing.status != Status.LIVE:
        return []
    lacking = []
    if not listing.company.logo_url:
        lacking.append(_link(listing, "Upload a logo", "pictures"))
    if shows(listing, "gallery") and not listing.company.screenshots:
        lacking.append(_link(listing, "Add screenshots", "pictures"))
    if listing.own_story is None:
        lacking.append(_link(listing, "Write the founder story", "story"))
    if not has_updates:
        lacking.append(_link(listing, "Post the first update", "updates/new"))
    if not blockers.has_badge(listing):
        lacking.append(_link(listing, "Show the badge on your website", "badges"))
    return lacking


def _share(listing: Listing, *, is_main: bool = True) -> Link:
    is_over = listing.week is not None and listing.week < current_week()
    return _link(listing, f"Share your {'listing' if is_over else 'launch'}", "share", is_main=is_main)


def _link(listing: Listing, label: str, page: str, *, is_main: bool = False) -> Link:
    return Link(label, listing.site.url(f"{listing.path}/{page}"), is_main)


def _contact(listing: Listing) -> list[Link]:
    """Return a link to write to the site, if it has a contact address."""
    address = listing.site.contact_email
    return [Link(f"Email {address}", f"mailto:{address}", is_main=True)] if address else []
