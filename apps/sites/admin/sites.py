"""Admin for the settings of each site."""

from copy import copy
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest

from apps.core.admin.base import ChecksField, ModelAdmin
from apps.sites.admin.consistency import contradictions
from apps.sites.admin.pages import SitePageAdmin, SitePageVersionAdmin
from apps.sites.models import Site
from apps.sites.rule_choices import ProfilePart, StorySection

__all__ = ["SiteAdmin", "SitePageAdmin", "SitePageVersionAdmin"]

_LABELS = {
    "key": "Short name",
    "host": "Host name",
    "contact_email": "Contact email",
    "sender_email": "Sender of emails",
    "is_default": "Serves all other host names",
    "is_moderated": "Review new listings",
    "team_email": "Admin email",
    "free_queue_weeks": "Weeks until a free launch",
    "free_places_per_week": "Free launches per week",
    "paid_places_per_week": "Paid launches per week",
    "closing_days": "Closing days",
    "badge_checks_per_hour": "Badge checks an owner can request per hour",
    "badge_check_hours": "Hours between automatic badge checks",
    "badge_failed_checks": "Failed checks in a row",
    "badge_grace_days": "Grace period for a missing badge (days)",
    "vote_new_account_days": "Days an account counts as new",
    "vote_new_account_percent": "Vote weight of new accounts (percent)",
    "updates_per_day": "Updates per listing in 24 hours",
    "drafts_per_hour": "Drafts per account per hour",
    "story_min_words": "Minimum words",
    "story_min_sections": "Minimum sections",
    "story_min_section_words": "Minimum words per section",
    "story_title_min_characters": "Minimum title length (characters)",
    "story_title_max_characters": "Maximum title length (characters)",
    "story_max_links": "Maximum links",
    "profile_min_bio_characters": "Minimum bio length (characters)",
    "profile_min_photo_pixels": "Minimum photo width and height (pixels)",
}
_STORY_RULES = (
    "story_min_words",
    "story_min_sections",
    "story_min_section_words",
    "story_required_sections",
    "story_title_min_characters",
    "story_title_max_characters",
    "story_max_links",
)
_PROFILE_RULES = ("profile_required_parts", "profile_min_bio_characters", "profile_min_photo_pixels")


class SiteForm(forms.ModelForm[Site]):
    """Reject contradictory story and profile rules next to the field."""

    story_required_sections = ChecksField(
        choices=StorySection.choices,
        label="Required sections",
        help_text="These need the minimum number of words.",
    )
    profile_required_parts = ChecksField(
        choices=ProfilePart.choices,
        label="Required in a complete founder profile",
        help_text="Required for stories and free launches.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        draft = copy(self.instance)
        for name in cleaned.keys() & {*_STORY_RULES, *_PROFILE_RULES}:
            setattr(draft, name, cleaned[name])
        for name, problem in contradictions(draft).items():
            self.add_error(name if name in self.fields else None, problem)
        return cleaned


@admin.register(Site)
class SiteAdmin(ModelAdmin):
    form = SiteForm
    list_display = ("name", "key", "host", "is_default", "free_queue_weeks", "free_places_per_week", "is_moderated")
    search_fields = ("name", "key", "host")
    fieldsets = (
        ("The site", {"fields": ("name", "tagline", "key", "host", "is_default")}),
        (
            "Look and contact",
            {
                "fields": ("color", "contact_email", "sender_email"),
                "description": "The logo and favicon are on the setup page: Name, logo and color.",
            },
        ),
        (
            "Moderation",
            {
                "fields": ("is_moderated", "team_email"),
                "description": "Whether new listings are reviewed first, and where copies of edits are emailed.",
            },
        ),
        (
            "Launch weeks",
            {
                "fields": ("free_queue_weeks", "free_places_per_week", "paid_places_per_week", "closing_days"),
                "description": "Used for weeks without their own numbers under Launch weeks.",
            },
        ),
        (
            "Badges",
            {
                "fields": ("badge_check_hours", "badge_failed_checks", "badge_grace_days", "badge_checks_per_hour"),
                "description": "A queued free listing loses its week after this many failed checks in a row and this "
                "many days. There are no checks after launch.",
            },
        ),
        (
            "Votes",
            {
                "fields": ("vote_new_account_days", "vote_new_account_percent"),
                "description": "The rule is public. Changes apply from the next launch week, because each week's "
                "vote ledger records its rule at the first launch.",
            },
        ),
        (
            "Founder stories",
            {
                "fields": _STORY_RULES,
                "description": "Requirements to publish a story. Published stories stay published when you change "
                "these. Pending drafts are checked within a minute, and their owners get an email when published.",
            },
        ),
        (
            "Founder profiles",
            {
                "fields": _PROFILE_RULES,
                "description": "Required to publish a story or launch free. Published stories and queued launches "
                "don't change.",
            },
        ),
        ("Limits", {"fields": ("drafts_per_hour", "updates_per_day")}),
    )

    def get_form(self, request: HttpRequest, obj: Site | None = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change=change, labels=_LABELS, **kwargs)

    def save_model(self, request: HttpRequest, obj: Site, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and {*_STORY_RULES, *_PROFILE_RULES} & {*form.changed_data}:
            text = "Published stories stay published. Pending drafts are checked against the new rules within a minute."
            self.message_user(request, text, messages.INFO)
