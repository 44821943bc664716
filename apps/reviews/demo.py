"""Demo reviews of listings, from demo_data/reviews.yaml."""

from datetime import datetime, timedelta
from typing import Any

from apps.accounts.models import User
from apps.contributions.texts import fingerprint_of, hosts_in
from apps.core.demo import Demo, read_demo_data
from apps.listings.models import Listing
from apps.reviews.models import STARS, Review, ReviewLink
from apps.sites.demo import DEFAULT

# What review codes of the demo begin with, before their number.
_CODE = "DEMCQR"


def seed(demo: Demo) -> None:
    """Add the reviews. `launches` saves the listings with their numbers.

    Each entry has an `author` (the key of a company, for its founder), a `rating`, a `text`, and perhaps a `proof` and
    an `answer`.
    """
    for number, (key, entries) in enumerate(read_demo_data("apps.reviews", "reviews").items(), 1):
        listing = demo.get(Listing, f"{DEFAULT}/{key}")
        written = [
            _save(demo, listing, entry, at=demo.now - timedelta(hours=9 * place, minutes=31 * place))
            for place, entry in zip(range(len(entries), 0, -1), entries, strict=True)
        ]
        posted = [review for review in written if review.is_posted]
        verified = [review.rating for review in posted if review.is_verified]
        listing.review_count = len(posted)
        listing.star_counts = [verified.count(stars) for stars in STARS]
        if uses := sum(review.proof == Review.Proof.LINK for review in written):
            code = f"{_CODE}{number:04d}"
            ReviewLink.objects.create(listing=listing, code=code, label="Newsletter to customers", uses=uses)


def _save(demo: Demo, listing: Listing, entry: dict[str, Any], *, at: datetime) -> Review:
    text, answer = entry["text"].strip(), entry.get("answer", "").strip()
    proof = entry.get("proof", "")
    status = Review.Status(entry.get("status", Review.Status.POSTED))
    review = Review(
        listing=listing,
        author=demo.get(User, entry["author"]),
        rating=entry["rating"],
        text=text,
        status=status,
        review_reason=Review.Wait.FIRST if status == Review.Status.IN_REVIEW else "",
        is_verified=bool(proof),
        proof=proof,
        answer=answer,
        answered_at=min(at + timedelta(hours=5), demo.now) if answer else None,
        hosts=hosts_in(text),
        fingerprint=fingerprint_of(text),
        created_at=at,
    )
    review.save()
    return review
