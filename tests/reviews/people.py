"""People who review, and what proves that they are customers."""

from itertools import count
from typing import Any

from apps.accounts.models import User
from apps.listings.models import Listing
from apps.reviews.models import Review, ReviewLink
from apps.reviews.services.links import create_link
from apps.reviews.services.proof import token_of
from apps.reviews.services.writing import post_review
from tests.actors import in_browser
from tests.comments.people import trusted
from tests.factories import UserFactory

_numbers = count(1)


def customer(**values: Any) -> User:
    """An account whose first review is posted, at a domain of its own."""
    number = next(_numbers)
    return trusted(**{"email": f"person@client{number}.example", **values})


def newcomer() -> User:
    """An account whose first review is moderated."""
    made: User = UserFactory.create(email=f"new@client{next(_numbers)}.example")
    return made


def long_text(text: str = "") -> str:
    """A text of the least length, different from all others."""
    return f"{text or f'Review number {next(_numbers)}'}. We use it every day and would miss it a lot."


def link_for(listing: Listing, **values: Any) -> ReviewLink:
    return create_link(listing=listing, by=in_browser(listing.company.owner), **values)


def review_of(
    listing: Listing, text: str = "", *, rating: object = 5, author: User | None = None, **values: Any
) -> Review:
    """A review as the service makes it."""
    by = in_browser(author or customer())
    return post_review(listing=listing, rating=rating, text=long_text(text), by=by, **values)


def verified(listing: Listing, number: int = 1, *, rating: int = 5) -> list[Review]:
    """Reviews with a link of the owner."""
    token = token_of(link_for(listing))
    return [review_of(listing, rating=rating, token=token) for _ in range(number)]
