"""Read the comments of a listing as its readers see them, in a fixed number of queries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from apps.accounts.models import FounderProfile, User
from apps.comments.announcing import page_path
from apps.comments.models import Comment
from apps.comments.services.writing import EDITABLE, MAX_LINKS
from apps.contributions.names import public_name
from apps.contributions.reading import listing_of
from apps.core.editing.rendering import render_text
from apps.listings.models import Listing
from apps.sites.models import Site

Status = Comment.Status
Reader = User | AnonymousUser

THREADS = 20
REPLIES = 3
# More replies than this are on several pages of their thread.
THREAD_REPLIES = 100


@dataclass(slots=True, kw_only=True)
class Shown:
    """A comment as its reader sees it. `text` is empty where only the trace of a comment is left.

    `actions` are what the reader may do. `more_replies` are on the page of the comment.
    """

    id: int
    path: str
    status: str
    text: str
    html: str
    author_name: str
    author_id: int
    profile: FounderProfile | None
    is_maker: bool
    is_admin: bool
    is_own: bool
    is_pinned: bool
    created_at: Any
    edited_at: Any
    removed_reason: str
    reply_to_name: str
    actions: frozenset[str]
    replies: list["Shown"] = field(default_factory=list)
    more_replies: int = 0


@dataclass(frozen=True, slots=True)
class Threads:
    """Some of a listing's comments with their first replies."""

    shown: list[Shown]
    has_more: bool

    def everyone(self) -> Iterable[Shown]:
        for thread in self.shown:
            yield thread
            yield from thread.replies


def read_threads(listing: Listing, *, reader: Reader, number: int = 1, per_page: int = THREADS) -> Threads:
    """Return a page of the listing's threads: the pinned one, then the newest, with first replies. Two queries."""
    first = (number - 1) * per_page
    rows = list(thread_rows(listing, reader)[first : first + per_page + 1])
    return Threads(_with_replies(rows[:per_page], listing, reader, most=REPLIES), len(rows) > per_page)


def read_thread(listing: Listing, thread_id: int, *, reader: Reader) -> Shown | None:
    """Return one thread with its replies, or None if there is none for this reader."""
    row = thread_rows(listing, reader).filter(pk=thread_id).first()
    return _with_replies([row], listing, reader, most=THREAD_REPLIES)[0] if row else None


def thread_rows(listing: Listing, reader: Reader) -> QuerySet[Comment]:
    """Return the comments on top that a reader sees, with traces of hidden ones, and of any that has replies."""
    has_replies = Exists(Comment.objects.public().filter(parent=OuterRef("pk")))
    rows = Comment.objects.filter(_seen_by(reader) | has_replies, listing=listing, parent=None)
    return rows.select_related("author__founder_profile").order_by("-is_pinned", "-pk")


def list_comments(*, site: Site, slug: str) -> tuple[Listing, QuerySet[Comment]]:
    """Return a live listing and its posted comments, newest first. Raises NotFound (404) for any other slug."""
    listing = listing_of(site, slug)
    return listing, public_comments(listing)


def public_comments(listing: Listing) -> QuerySet[Comment]:
    """Return the posted comments of a listing, newest first, with their authors."""
    return Comment.objects.public().filter(listing=listing).select_related("author__founder_profile").order_by("-pk")


def _seen_by(reader: Reader) -> Q:
    seen = Q(status__in=[Status.POSTED, Status.HIDDEN])
    if reader.is_authenticated:
        seen |= Q(author=reader, status__in=[Status.IN_REVIEW, Status.REMOVED])
    return seen


def _with_replies(rows: Sequence[Comment], listing: Listing, reader: Reader, *, most: int) -> list[Shown]:
    items = {row.pk: show(row, listing, reader) for row in rows}
    for reply in _replies(list(items), reader, most) if items else ():
        thread = items[reply.parent_id]
        thread.replies.append(show(reply, listing, reader))
        thread.more_replies = reply.of_thread - len(thread.replies)
    return list(items.values())


def _replies(ids: list[int], reader: Reader, most: int) -> Iterable[Any]:
    """Return the first replies of each thread, oldest first, with the number of all. One query."""
    rows = Comment.objects.filter(_seen_by(reader), parent__in=ids)
    counted = rows.annotate(
        place=Window(RowNumber(), partition_by="parent", order_by="pk"),
        of_thread=Window(Count("pk"), partition_by="parent"),
    )
    result = counted.filter(place__lte=most).select_related(
        "author__founder_profile", "reply_to__author__founder_profile"
    )
    return result.order_by("parent", "pk")


def show(row: Comment, listing: Listing, reader: Reader) -> Shown:
    """Return a comment of this listing as the reader sees it."""
    row.listing = listing
    is_own = reader.pk is not None and row.author_id == reader.pk
    has_text = row.is_posted or (is_own and row.status != Status.DELETED) or _may_read_hidden(row, listing, reader)
    text = row.text if has_text else ""
    replied = row.reply_to if row.reply_to_id and row.reply_to_id != row.parent_id else None
    return Shown(
        id=row.pk,
        path=page_path(row),
        status=str(row.status),
        text=text,
        html=render_text(text, max_links=MAX_LINKS),
        author_name=public_name(row.author),
        author_id=row.author_id,
        profile=getattr(row.author, "founder_profile", None),
        is_maker=row.author_id == listing.company.owner_id,
        is_admin=row.author.is_staff,
        is_own=is_own,
        is_pinned=row.is_pinned,
        created_at=row.created_at,
        edited_at=row.edited_at,
        removed_reason=row.removed_reason if is_own else "",
        reply_to_name=public_name(replied.author) if replied else "",
        actions=_actions(row, listing, reader),
    )


def _may_read_hidden(row: Comment, listing: Listing, reader: Reader) -> bool:
    return row.status == Status.HIDDEN and reader.pk == listing.company.owner_id


def _actions(row: Comment, listing: Listing, reader: Reader) -> frozenset[str]:
    """Return what the reader may do with a comment. The services check it again."""
    if not reader.is_authenticated:
        return frozenset({"reply", "report"} if row.is_posted else ())
    is_own, is_owner = row.author_id == reader.pk, listing.company.owner_id == reader.pk
    is_young = timezone.now() < row.created_at + EDITABLE
    can = {
        "reply": row.is_posted,
        "edit": is_own and is_young and row.status in {Status.POSTED, Status.IN_REVIEW},
        "delete": is_own and row.status != Status.DELETED,
        "pin": is_owner and row.is_posted and row.parent_id is None and not row.is_pinned,
        "unpin": is_owner and row.is_pinned,
        "hide": is_owner and not is_own and row.is_posted,
        "show": is_owner and row.status == Status.HIDDEN,
        "report": row.is_posted and not is_own,
        "moderate": bool(reader.is_staff),
    }
    return frozenset(name for name, is_possible in can.items() if is_possible)
