"""Comments in the admin: read-only, with the queue of moderators, their decisions and the history."""

from django.contrib import admin

from apps.comments import announcing
from apps.comments.models import Comment, CommentDecision, CommentReport
from apps.comments.services import moderation
from apps.contributions.admin import ContributionAdmin, DecisionInline, Decisions, OfContribution


class ReportInline(OfContribution):
    model = CommentReport
    verbose_name_plural = "reports"
    fields = ("created_at", "reason", "note", "reporter", "closed_at")


class CommentDecisionInline(DecisionInline):
    model = CommentDecision


def _why_not_approve(comment: Comment) -> str:
    if comment.status == Comment.Status.IN_REVIEW or comment.open_reports:
        return ""
    return "Neither in review nor reported."


def _effects(comment: Comment) -> list[str]:
    reports = [f"Reported: {report}" for report in comment.reports.filter(closed_at__isnull=True)[:5]]
    return [f"By {comment.author} on {comment.listing}", *reports]


@admin.register(Comment)
class CommentAdmin(ContributionAdmin):
    decisions = Decisions(
        noun="comments",
        approve=lambda comment, **values: moderation.approve_comment(comment=comment, **values),
        remove=lambda comment, **values: moderation.remove_comment(comment=comment, **values),
        restore=lambda comment, **values: moderation.restore_comment(comment=comment, **values),
        why_not_approve=_why_not_approve,
        effects=_effects,
        approve_explanation="Comments in review appear on their listings. Reported ones stay, and their reports are "
        "closed.",
    )
    page_url = staticmethod(announcing.page_url)
    list_display = ("__str__", "listing", "author", "state", "review_reason", "open_reports", "created_at")
    list_filter = ("status", "review_reason", "listing__site", "created_at")
    inlines = (ReportInline, CommentDecisionInline)
    fields = (
        "listing",
        "author",
        "parent",
        "text",
        "state",
        "review_reason",
        "removed_reason",
        "page",
        "created_at",
        "edited_at",
    )
