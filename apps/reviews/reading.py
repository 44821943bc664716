"""Read the reviews of a listing as its readers see them, in a fixed number of queries."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils.safestring import SafeString

from apps.accounts.models import FounderProfile, User
from apps.contributions.names import public_name
from apps.contributions.reading import listing_of
from apps.core.editing.rendering import render_text
from apps.listings.models import Listing
from apps.reviews.announcing import page_path
from apps.reviews.models import STARS, Review, ReviewQuerySet
from apps.reviews.services.writing import MAX_LINKS
from apps.sites.models import Site

Status = Review.Status
Reader = User | AnonymousUser

PER_PAGE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A review as its reader sees it. `actions` are what the reader may do."""

    id: int
    path: str
    status: str
    rating: int
    is_verified: bool
    text: str
    html: SafeString
    author_name: str
    author_id: int
    profile: FounderProfile | None
    is_own: bool
    created_at: Any
    edited_at: Any
    removed_reason: str
    answer: str
    answer_html: SafeString
    answered_at: Any
    answer_edited_at: Any
    actions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Page:
    """Some of a listing's reviews: verified ones first, then newest first."""

    verified: list[Shown]
    unverified: list[Shown]
    has_more: bool

    @property
    def shown(self) -> list[Shown]:
        return [*self.verified, *self.unverified]


@dataclass(frozen=True, slots=True)
class Bar:
    """How many verified reviews give so many stars."""

    stars: int
    count: int


def read_page(listing: Listing, *, reader: Reader, number: int = 1) -> Page:
    """Return a page of the reviews that a reader sees. One query, or none where nobody wrote any."""
    may_have_own = reader.is_authenticated and reader.pk != listing.company.owner_id
    if not listing.review_count and not may_have_own:
        return Page([], [], has_more=False)
    first = (number - 1) * PER_PAGE
    rows = list(review_rows(listing, reader)[first : first + PER_PAGE + 1])
    items = [show(row, listing, reader) for row in rows[:PER_PAGE]]
    verified = [one for one in items if one.is_verified]
    return Page(verified, [one for one in items if not one.is_verified], has_more=len(rows) > PER_PAGE)


def review_rows(listing: Listing, reader: Reader) -> QuerySet[Review]:
    """Return the posted reviews, and the reader's own in any status but deleted, with their authors."""
    seen = _posted(listing)
    if reader.is_authenticated:
        seen |= Q(author=reader) & ~Q(status=Status.DELETED)
    rows: QuerySet[Review] = Review.objects.filter(seen, listing=listing).in_order()
    return rows.select_related("author__founder_profile")


def _posted(listing: Listing) -> Q:
    """Return the condition of a review that everybody sees. One that its owner wrote earlier is none."""
    return Q(status=Status.POSTED) & ~Q(author=listing.company.owner_id)


def own_review(listing: Listing, account: User) -> Review | None:
    """Return the account's review of the listing."""
    return Review.objects.filter(listing=listing, author=account).exclude(status=Status.DELETED).first()


def list_reviews(*, site: Site, slug: str) -> tuple[Listing, QuerySet[Review]]:
    """Return a live listing and its posted reviews. Raises NotFound (404) for any other slug."""
    listing = listing_of(site, slug)
    return listing, public_reviews(listing).in_order()


def public_reviews(listing: Listing) -> ReviewQuerySet:
    """Return the reviews of a listing that everybody sees, with their authors."""
    result: ReviewQuerySet = Review.objects.filter(_posted(listing), listing=listing)
    return result.select_related("author__founder_profile")


def distribution(listing: Listing) -> list[Bar]:
    """Return the verified reviews by stars, 5 first."""
    return [Bar(stars, count) for stars, count in reversed(list(zip(STARS, listing.star_counts, strict=True)))]


def show(row: Review, listing: Listing, reader: Reader) -> Shown:
    """Return a review of this listing as the reader sees it. Texts are those of posted and of own reviews."""
    row.listing = listing
    is_own = reader.pk is not None and row.author_id == reader.pk
    return Shown(
        id=row.pk,
        path=page_path(row),
        status=str(row.status),
        rating=row.rating or 0,
        is_verified=row.is_verified,
        text=row.text,
        html=render_text(row.text, max_links=MAX_LINKS),
        author_name=public_name(row.author),
        author_id=row.author_id,
        profile=getattr(row.author, "founder_profile", None),
        is_own=is_own,
        created_at=row.created_at,
        edited_at=row.edited_at,
        removed_reason=row.removed_reason if is_own else "",
        answer=row.answer,
        answer_html=render_text(row.answer, max_links=MAX_LINKS),
        answered_at=row.answered_at,
        answer_edited_at=row.answer_edited_at,
        actions=_actions(row, listing, reader),
    )


def _actions(row: Review, listing: Listing, reader: Reader) -> frozenset[str]:
    """Return what the reader may do with a review. The services check it again."""
    if not reader.is_authenticated:
        return frozenset({"report", "report_answer"} if row.is_posted else ())
    is_own, is_owner = row.author_id == reader.pk, listing.company.owner_id == reader.pk
    can = {
        "edit": is_own and not is_owner and row.status in {Status.POSTED, Status.IN_REVIEW},
        "delete": is_own and row.status != Status.DELETED,
        "answer": is_owner and row.is_posted and not row.answer,
        "edit_answer": is_owner and row.is_posted and bool(row.answer),
        "report": row.is_posted and not is_own,
        "report_answer": row.is_posted and bool(row.answer) and not is_owner,
        "moderate": bool(reader.is_staff),
    }
    return frozenset(name for name, is_possible in can.items() if is_possible)
