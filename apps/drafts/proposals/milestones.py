"""Milestones that a draft proposes, and adding them to the listing."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from apps.accounts.actors import Actor
from apps.core.errors import Unprocessable
from apps.listings.models import Listing, Milestone
from apps.listings.services.milestones import NewMilestone, add_milestones

FIELD = "milestones"


class AlreadyMilestones(Unprocessable):
    code = "already_milestones"
    title = "Milestones already on the listing"


def add_proposed(*, listing: Listing, proposed: Sequence[Mapping[str, Any]], by: Actor) -> list[Milestone]:
    """Add proposed milestones in one edit, each `{date, title, description, url}` with the date as "2024-05-01".

    Raises what `add_milestones` raises.
    """
    new = [
        NewMilestone(date.fromisoformat(one["date"]), one["title"], description=one["description"], url=one["url"])
        for one in proposed
    ]
    return add_milestones(listing=listing, milestones=new, by=by) if new else []


def check_not_listed(fields: Mapping[str, Any]) -> None:
    """Refuse milestones for a submitted draft: they are rows of the listing by now, edited one by one."""
    if FIELD in fields:
        raise AlreadyMilestones(
            "The draft was submitted, so its milestones are on the listing. Edit them there.",
            pointer=f"/fields/{FIELD}",
            next_steps=["Call add_milestone or delete_milestone."],
        )
