"""Comments in the admin: read-only, with the queue of moderators and their decisions."""

from django.contrib import admin

from apps.comments.models import Comment
from apps.contributions.admin import ContributionAdmin


@admin.register(Comment)
class CommentAdmin(ContributionAdmin):
    case_kind = "comment"
    list_display = ("__str__", "listing", "author", "state", "review_reason", "created_at")
    list_filter = ("status", "review_reason", "listing__site", "created_at")
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
