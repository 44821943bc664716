"""Reviews in the admin: read-only, with the queue of moderators, their decisions and every version."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import actor_of
from apps.contributions.admin import ContributionAdmin, DecisionInline, Decisions, OfContribution, RemoveForm
from apps.core.admin.decisions import Decision, page_action
from apps.core.versions.admin import ShowsVersions
from apps.reviews import announcing
from apps.reviews.models import Review, ReviewDecision, ReviewVersion
from apps.reviews.services import moderation


class ReviewDecisionInline(DecisionInline):
    model = ReviewDecision


class VersionInline(ShowsVersions, OfContribution):
    model = ReviewVersion
    verbose_name_plural = "versions"
    fields = ("created_at", "what_changed")
    readonly_fields = fields


def _effects(review: Review) -> list[str]:
    proof = review.get_proof_display() if review.is_verified else "unverified"
    return [f"{review.rating} of 5 stars by {review.author} on {review.listing}, {proof}"]


def _why_no_answer(review: Review) -> str:
    return "" if review.answer else "Not answered."


def _remove_answer(review: Review, values: Mapping[str, Any], request: HttpRequest) -> None:
    moderation.remove_answer(review=review, by=actor_of(request, via="admin"), **values)


REMOVE_ANSWER = Decision(
    title="Remove answer",
    explanation=[
        "The owner's answer disappears from all public pages immediately. The owner gets the reason by email, and can "
        "write another answer."
    ],
    done="Answers removed",
    decide=_remove_answer,
    why_not=_why_no_answer,
    effects=lambda review: [f"Answer: {review.answer[:300]}"],
    form=RemoveForm,
    is_dangerous=True,
)


@admin.register(Review)
class ReviewAdmin(ContributionAdmin):
    decisions = Decisions(
        noun="reviews",
        approve=lambda review, **values: moderation.approve_review(review=review, **values),
        remove=lambda review, **values: moderation.remove_review(review=review, **values),
        restore=lambda review, **values: moderation.restore_review(review=review, **values),
        effects=_effects,
        approve_explanation="The reviews appear on their listings, and count if they are verified.",
    )
    page_url = staticmethod(announcing.page_url)
    actions_detail = (*ContributionAdmin.actions_detail, "remove_answer_one")
    list_display = ("__str__", "rating", "listing", "author", "state", "is_verified", "review_reason", "created_at")
    list_filter = ("status", "review_reason", "is_verified", "listing__site", "created_at")
    inlines = (VersionInline, ReviewDecisionInline)
    fields = (
        "listing",
        "author",
        "rating",
        "text",
        "state",
        "review_reason",
        "removed_reason",
        "is_verified",
        "proof",
        "link",
        "answer",
        "answered_at",
        "page",
        "created_at",
        "edited_at",
    )

    def why_hidden(self) -> dict[str, Callable[[Any], str]]:
        return {**super().why_hidden(), "remove_answer_one": _why_no_answer}

    @page_action(description="Remove answer", permissions=["decide"], icon="comments_disabled", is_dangerous=True)
    def remove_answer_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, REMOVE_ANSWER)
