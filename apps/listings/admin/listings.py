"""Listings: the review queue, suspensions, and the texts."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Case, Count, QuerySet, When
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from apps.accounts.actors import actor_of
from apps.core.admin.base import ChecksField, labelled, week_column
from apps.core.admin.decisions import Decides, Decision, page_action
from apps.listings.admin.forms_in_history import InHistory
from apps.listings.admin.pictures import thumbnails
from apps.listings.admin.sources import sources_table
from apps.listings.models import Listing
from apps.listings.services import moderation
from apps.listings.services.sections import SECTIONS
from apps.moderation.admin.forms import NoteForm, RemoveForm
from apps.moderation.admin.pages import HasCase


def _decide(command: Callable[..., Listing]) -> Callable[[Listing, Mapping[str, Any], HttpRequest], Listing]:
    def decide(listing: Listing, values: Mapping[str, Any], request: HttpRequest) -> Listing:
        return command(listing=listing, **values, by=actor_of(request, via="admin"))

    return decide


def _why_not(decision: str) -> Callable[[Listing], str]:
    return lambda listing: moderation.why_not(decision, listing)


APPROVE = Decision(
    title="Approve",
    explanation=[
        "The owner gets an email and can launch the listing, free or paid.",
        "You can't undo an approval. You can suspend the listing later.",
    ],
    done="Listings approved",
    decide=_decide(moderation.approve_listing),
    why_not=_why_not("approve"),
    form=NoteForm,
)
REJECT = Decision(
    title="Reject",
    explanation=["The listing never goes public. You can't undo this. The owner gets the reason by email."],
    done="Listings rejected",
    decide=_decide(moderation.reject_listing),
    why_not=_why_not("reject"),
    form=RemoveForm,
    is_dangerous=True,
)
SUSPEND = Decision(
    title="Suspend",
    explanation=[
        "Removes the listing from all public pages immediately.",
        "Its content, votes and launch week are kept. You can restore it. The owner gets the reason by email.",
        "Leaderboards that close in the meantime don't include it.",
    ],
    done="Listings suspended",
    decide=_decide(moderation.suspend_listing),
    why_not=_why_not("suspend"),
    form=RemoveForm,
    is_dangerous=True,
)
RESTORE = Decision(
    title="Restore",
    explanation=[
        "Restores the listing's previous status. The owner gets an email.",
        "If its launch week has passed, it gets the next week with a spot left.",
    ],
    done="Listings restored",
    decide=_decide(moderation.restore_listing),
    why_not=_why_not("restore"),
    form=NoteForm,
)


Status = Listing.Status
_LABELS = {
    "In review": "warning",
    "Live": "success",
    "Scheduled": "info",
    "Suspended": "danger",
    "Rejected": "danger",
}
_STATE = (
    "status_reason",
    "suspended_from",
    "merged_into",
    "plan",
    "week",
    "votes",
    "followers",
    "submitted_at",
    "launched_at",
    "updated_at",
)
_BADGE = (
    "badge_state",
    "badge_result",
    "badge_seen_at",
    "badge_checked_at",
    "badge_failed_checks",
    "badge_missing_since",
    "badge_check_at",
)


@admin.register(Listing)
class ListingAdmin(HasCase, Decides, InHistory):
    case_kind = "listing"
    list_display = ("name", "state", "site", "plan", "week", "votes", "followers", "submitted_at")
    list_filter = ("site", "status", "plan", "badge_state")
    week = week_column("launch_week")
    list_filter_submit = True
    search_fields = ("company__name", "company__website_key", "slug", "headline")
    # Listings in review come first, oldest first.
    ordering = (
        Case(When(status=Status.IN_REVIEW, then=0), default=1).asc(),
        Case(When(status=Status.IN_REVIEW, then="submitted_at")).asc(),
        "-submitted_at",
        "-pk",
    )
    autocomplete_fields = ("company", "categories")
    actions = ("approve", "reject", "suspend", "restore")
    actions_detail: tuple[str, ...] = (
        "approve_one",
        "reject_one",
        "suspend_one",
        "restore_one",
        "see_versions",
        "see_case",
    )
    fieldsets = (
        (None, {"fields": ("company", "site", "slug", "state", "public_page", "pictures", *_STATE)}),
        ("Sources", {"fields": ("what_was_read",)}),
        ("Texts", {"fields": ("headline", "summary", "description", "categories", "tags", "alternatives", "faqs")}),
        ("Search engines", {"fields": ("seo_title", "seo_description", "seo_keywords")}),
        ("Paid sections", {"fields": ("unlocked_sections",)}),
        ("Badge on the owner's website", {"fields": _BADGE, "classes": ("collapse",)}),
    )
    readonly_fields = ("state", "public_page", "pictures", "what_was_read", *_STATE, *_BADGE)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Listing]:
        result: QuerySet[Listing] = super().get_queryset(request)
        return result.select_related("company", "site", "merged_into").annotate(follower_count=Count("follows"))

    def get_readonly_fields(self, request: HttpRequest, obj: Listing | None = None) -> tuple[str, ...]:
        """Make company and site read-only on existing listings, since votes and orders depend on them."""
        return (*self.readonly_fields, "company", "site") if obj else self.readonly_fields

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {
            "approve_one": APPROVE.why_not,
            "reject_one": REJECT.why_not,
            "suspend_one": SUSPEND.why_not,
            "restore_one": RESTORE.why_not,
        }

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "unlocked_sections":
            choices = [(section.name, capfirst(section.title)) for section in SECTIONS.values()]
            return ChecksField(choices=choices, help_text="Shown whatever the plan.")
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    # ---- what is shown ----
    @admin.display(description="name", ordering="company__name")
    def name(self, listing: Listing) -> str:
        return listing.company.name

    @labelled(description="status", ordering="status", colors=_LABELS)
    def state(self, listing: Listing) -> str:
        return str(listing.get_status_display())

    @admin.display(description="followers", ordering="follower_count")
    def followers(self, listing: Any) -> int:
        return int(getattr(listing, "follower_count", 0))

    @admin.display(description="page")
    def public_page(self, listing: Listing) -> SafeString:
        return format_html('<a class="text-primary-600 dark:text-primary-500" href="{0}">{0}</a>', listing.page_url)

    @admin.display(description="pictures")
    def pictures(self, listing: Listing) -> SafeString | str:
        return thumbnails(listing.company if listing.pk else None)

    @admin.display(description="sources")
    def what_was_read(self, listing: Listing) -> SafeString:
        """The source page and quote of each value."""
        drafts: Any = getattr(listing, "drafts", None)
        draft = drafts.order_by("-pk").first() if drafts is not None and listing.pk else None
        return sources_table(draft)

    # ---- decisions ----
    @admin.action(description="Approve", permissions=["change"])
    def approve(self, request: HttpRequest, listings: QuerySet[Listing]) -> HttpResponse:
        return self._ask(request, listings, APPROVE)

    @admin.action(description="Reject with a reason", permissions=["change"])
    def reject(self, request: HttpRequest, listings: QuerySet[Listing]) -> HttpResponse:
        return self._ask(request, listings, REJECT)

    @admin.action(description="Suspend with a reason", permissions=["change"])
    def suspend(self, request: HttpRequest, listings: QuerySet[Listing]) -> HttpResponse:
        return self._ask(request, listings, SUSPEND)

    @admin.action(description="Restore", permissions=["change"])
    def restore(self, request: HttpRequest, listings: QuerySet[Listing]) -> HttpResponse:
        return self._ask(request, listings, RESTORE)

    @page_action(description="Approve", permissions=["change"], icon="check", is_main=True)
    def approve_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, APPROVE)

    @page_action(description="Reject", permissions=["change"], icon="close", is_dangerous=True)
    def reject_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, REJECT)

    @page_action(description="Suspend", permissions=["change"], icon="visibility_off", is_dangerous=True)
    def suspend_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, SUSPEND)

    @page_action(description="Restore", permissions=["change"], icon="visibility")
    def restore_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, RESTORE)

    def has_versions_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return bool(request.user.has_perm("listings.view_listingversion"))

    @page_action(description="Versions", permissions=["versions"], icon="history")
    def see_versions(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Changes with author. You can restore versions."""
        versions = reverse("admin:listings_listingversion_changelist")
        return HttpResponseRedirect(f"{versions}?listing__id__exact={object_id}")

    def _ask(self, request: HttpRequest, listings: QuerySet[Listing], decision: Decision) -> HttpResponse:
        return self.ask(request, listings, decision, back=request.get_full_path())
