"""Reviews in the admin: read-only, with the queue of moderators, their decisions and every version."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from apps.contributions.admin import ContributionAdmin
from apps.core.admin.base import ReadOnlyInline
from apps.core.admin.decisions import page_action
from apps.core.versions.admin import ShowsVersions
from apps.moderation.admin.pages import removal
from apps.moderation.kinds import kinds
from apps.reviews.models import Review, ReviewVersion


class VersionInline(ShowsVersions, ReadOnlyInline):
    model = ReviewVersion
    verbose_name_plural = "versions"
    fields = ("created_at", "what_changed")
    readonly_fields = fields


@admin.register(Review)
class ReviewAdmin(ContributionAdmin):
    case_kind = "review"
    actions_detail = (*ContributionAdmin.actions_detail, "remove_answer_one")
    list_display = ("__str__", "rating", "listing", "author", "state", "is_verified", "review_reason", "created_at")
    list_filter = ("status", "review_reason", "is_verified", "listing__site", "created_at")
    inlines = (VersionInline,)
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

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {**super().why_hidden(), "remove_answer_one": kinds()["review_answer"].why_not_remove}

    @page_action(description="Remove answer", permissions=["decide"], icon="comments_disabled", is_dangerous=True)
    def remove_answer_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, removal(kinds()["review_answer"]))
