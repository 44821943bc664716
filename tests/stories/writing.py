"""Stories for tests, written the way owners write them."""

from typing import Any

from apps.accounts.actors import Actor
from apps.listings.models import Listing
from apps.stories.models import FounderStory
from apps.stories.services import stories
from tests.factories import ListingFactory, complete_profile


def words(number: int) -> str:
    """A text of so many words."""
    return " ".join(["word"] * number)


def enough(**fields: str) -> dict[str, str]:
    """A story that meets the rules of a new site; `fields` replace some of it."""
    sections = dict.fromkeys(("how_started", "problem", "what_built", "hard_parts"), words(75))
    return {"title": "How it all began", **sections, **fields}


def too_short(**fields: str) -> dict[str, str]:
    """A story with 299 of the 300 words that a new site asks for."""
    return enough(hard_parts=words(74), **fields)


def by_owner(listing: Listing, *, via: Any = "browser", credential: str = "") -> Actor:
    return Actor(user=listing.company.owner, via=via, credential=credential)


def write(fields: dict[str, str], *, listing: Listing | None = None, publish: bool = True) -> FounderStory:
    """The story of a live listing, or of the one that is given, whose owner has a complete profile."""
    listing = listing or ListingFactory.create(live=True)
    if not hasattr(listing.company.owner, "founder_profile"):
        complete_profile(listing.company.owner)
    return stories.set_founder_story(listing=listing, fields=fields, publish=publish, by=by_owner(listing)).story
