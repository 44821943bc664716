"""Reviews, and the answers of owners, as something to report and decide about."""

from collections.abc import Sequence

from django.db.models import F, QuerySet

from apps.accounts.actors import Actor
from apps.contributions.kinds import ContributionKind
from apps.moderation.kinds import Kind, Written
from apps.moderation.models import Decision
from apps.reviews.announcing import page_path
from apps.reviews.models import Review
from apps.reviews.services import moderation
from apps.sites.models import Site


class ReviewKind(ContributionKind):
    name = "review"
    label = "Review"
    model = "reviews.Review"
    approving = "The reviews appear on their listings, and count if they are verified."
    removing = "The review disappears from all public pages. For 30 days, a moderator reads the author's reviews first."

    def public(self, site: Site) -> QuerySet[Review]:
        """Leave out what the listing's present owner wrote earlier, as its pages do."""
        return super().public(site).exclude(author=F("listing__company__owner"))

    def written(self, row: Review) -> Written:
        return Written(
            author=row.author,
            site=row.listing.site,
            title=f"Review of {row.listing.company.name}",
            text=row.text,
            path=page_path(row),
        )

    def effects(self, row: Review) -> Sequence[str]:
        proof = row.get_proof_display() if row.is_verified else "unverified"
        return [f"{row.rating} of 5 stars by {row.author} on {row.listing}, {proof}"]

    def approve(self, row: Review, *, note: str = "", by: Actor) -> object:
        return moderation.approve_review(review=row, note=note, by=by)

    def remove(self, row: Review, *, reason: str, note: str = "", by: Actor) -> object:
        return moderation.remove_review(review=row, reason=reason, note=note, by=by)

    def publish_again(self, row: Review, *, note: str = "", by: Actor) -> object:
        return moderation.restore_review(review=row, note=note, by=by)


class ReviewAnswerKind(Kind):
    name = "review_answer"
    label = "Answer to a review"
    model = "reviews.Review"
    remove_label = "Remove answer"
    removing = "The owner's answer disappears from all public pages. The owner can write another answer."
    written_at = "answered_at"

    def rows(self) -> QuerySet[Review]:
        return REVIEWS.rows().exclude(answer="")

    def public(self, site: Site) -> QuerySet[Review]:
        return REVIEWS.public(site).exclude(answer="")

    def find(self, object_id: int) -> Review | None:
        return REVIEWS.rows().filter(pk=object_id).first()

    def written(self, row: Review) -> Written:
        return Written(
            author=row.listing.company.owner,
            site=row.listing.site,
            title=f"Answer of {row.listing.company.name} to a review",
            text=row.answer,
            path=f"{page_path(row)}#answer-{row.pk}",
        )

    def effects(self, row: Review) -> Sequence[str]:
        return [f"Answer: {row.answer[:300]}"]

    def remove(self, row: Review, *, reason: str, note: str = "", by: Actor) -> object:
        return moderation.remove_answer(review=row, reason=reason, note=note, by=by)

    def restore(self, decision: Decision, *, note: str, by: Actor) -> object:
        return moderation.restore_answer(decision=decision, note=note, by=by)

    def why_not_remove(self, row: Review) -> str:
        return "" if row.answer else "Not answered."


REVIEWS = ReviewKind()
KINDS = (REVIEWS, ReviewAnswerKind())
