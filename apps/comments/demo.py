"""Demo comments on listings, from demo_data/comments.yaml."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from apps.accounts.actors import SYSTEM
from apps.accounts.models import User
from apps.comments.models import Comment
from apps.contributions.texts import fingerprint_of, hosts_in
from apps.core.demo import Demo, read_demo_data
from apps.listings.models import Listing
from apps.moderation.kinds import kinds
from apps.moderation.models import Appeal, Decision, Report
from apps.moderation.services.decisions import keep_decision, lock_case
from apps.sites.demo import DEFAULT

_OWNER = "owner"


def seed(demo: Demo) -> None:
    """Add the comments. `launches` saves the listings with their numbers.

    Each entry has an `author` (the key of a company, for its founder, or `owner` for that of the listing) and a `text`,
    and may have `reports`, or a `removed` reason with an `appeal`.
    """
    for key, threads in read_demo_data("apps.comments", "comments").items():
        listing = demo.get(Listing, f"{DEFAULT}/{key}")
        for entry, at in zip(threads, _moments(demo, len(threads)), strict=True):
            thread = _save(demo, listing, entry, at=at)
            _moderate(demo, thread, entry)
            for place, reply in enumerate(entry.get("replies", ()), start=1):
                later = min(at + timedelta(hours=2 * place, minutes=17 * place), demo.now)
                _save(demo, listing, reply, at=later, parent=thread)


def _moderate(demo: Demo, comment: Comment, entry: Mapping[str, Any]) -> None:
    """Report the comment, or remove it and have its author appeal, as its entry says."""
    if reports := entry.get("reports", ()):
        written = kinds()["comment"].written(comment)
        case = lock_case("comment", comment.pk, written)
        case.text = written.text
        case.save()
        for one in reports:
            reporter = demo.get(User, one["by"])
            Report.objects.create(case=case, reporter=reporter, reason=one["reason"], note=one.get("note", ""))
    if "removed" in entry:
        decision = keep_decision("comment", comment, Decision.Action.REMOVED, reason=entry["removed"], by=SYSTEM)
        Appeal.objects.create(decision=decision, text=entry["appeal"])


def _moments(demo: Demo, number: int) -> Iterator[datetime]:
    """Yield times of the last days, oldest first."""
    for place in range(number, 0, -1):
        yield demo.now - timedelta(hours=7 * place, minutes=23 * place)


def _save(
    demo: Demo, listing: Listing, entry: Mapping[str, Any], *, at: datetime, parent: Comment | None = None
) -> Comment:
    author = listing.company.owner if entry["author"] == _OWNER else demo.get(User, entry["author"])
    text = entry["text"].strip()
    reason = entry.get("removed", "")
    status = Comment.Status.REMOVED if reason else Comment.Status(entry.get("status", Comment.Status.POSTED))
    comment = Comment(
        listing=listing,
        author=author,
        parent=parent,
        reply_to=parent,
        text=text,
        status=status,
        review_reason=Comment.Review.FIRST if status == Comment.Status.IN_REVIEW else "",
        removed_reason=reason,
        is_pinned=entry.get("is_pinned", False),
        hosts=hosts_in(text),
        fingerprint=fingerprint_of(text),
        created_at=at,
    )
    comment.save()
    listing.comment_count += comment.is_posted
    return comment
