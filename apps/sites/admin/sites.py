"""The settings of each site, in plain words."""

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
    "hue": "Brand color",
    "is_default": "Serves all other host names",
    "is_moderated": "Review new listings",
    "team_email": "Admin email",
    "free_queue_weeks": "Weeks a free launch waits",
    "free_places_per_week": "Free launches in a week",
    "paid_places_per_week": "Paid launches in a week",
    "closing_days": "Days before its end in which a week counts as closing",
    "badge_checks_per_hour": "Looks for a badge that an owner can ask for, in an hour",
    "badge_check_hours": "Hours between our own looks for a badge",
    "badge_failed_checks": "Looks in a row without the badge",
    "badge_grace_days": "Days of grace for a missing badge",
    "vote_new_account_days": "Days that an account is new",
    "vote_new_account_percent": "What the vote of a new account weighs, in percent",
    "updates_per_day": "Updates of one listing in 24 hours",
    "drafts_per_hour": "Drafts of one account in an hour",
    "story_min_words": "Words of a founder story, at least",
    "story_min_sections": "Sections of a founder story, at least",
    "story_min_section_words": "Words of a section, at least",
    "story_title_min_characters": "Characters of a story's title, at least",
    "story_title_max_characters": "Characters of a story's title, at most",
    "story_max_links": "Links, at most",
    "profile_min_bio_characters": "Characters of a founder's bio, at least",
    "profile_min_photo_pixels": "Pixels of a founder's photo each way, at least",
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
    """Says beside the field which rules nobody could meet."""

    story_required_sections = ChecksField(
        choices=StorySection.choices,
        label="Required sections",
        help_text="Required sections and their minimum word counts.",
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
        ("The site", {"fields": ("name", "tagline", "key", "host", "is_default", "hue")}),
        (
            "Moderation",
            {
                "fields": ("is_moderated", "team_email"),
                "description": "Who looks at new listings, and who gets a copy of each edit.",
            },
        ),
        (
            "Launch weeks",
            {
                "fields": ("free_queue_weeks", "free_places_per_week", "paid_places_per_week", "closing_days"),
                "description": "Places hold for every week that has no row of its own under Launch weeks.",
            },
        ),
        (
            "Badges",
            {
                "fields": ("badge_check_hours", "badge_failed_checks", "badge_grace_days", "badge_checks_per_hour"),
                "description": "A queued free listing loses its week when the badge was missing in so many looks in a "
                "row and for so many days. After the launch nothing is looked for.",
            },
        ),
        (
            "Votes",
            {
                "fields": ("vote_new_account_days", "vote_new_account_percent"),
                "description": "The rule is published. A change holds from the next launch week on: the rule of a "
                "week stands in its ledger from the first launch.",
            },
        ),
        (
            "Founder stories",
            {
                "fields": _STORY_RULES,
                "description": "A story that meets all of this is published. Stories that are published already stay "
                "so, whatever is changed here. Drafts that wait for their publication are held against new rules "
                "within a minute, and their owners are told when they are published.",
            },
        ),
        (
            "Founder profiles",
            {
                "fields": _PROFILE_RULES,
                "description": "What an owner needs for a story and for a free launch. Published stories and queued "
                "launches stay as they are.",
            },
        ),
        ("Limits", {"fields": ("drafts_per_hour", "updates_per_day")}),
    )

    def get_form(self, request: HttpRequest, obj: Site | None = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change=change, labels=_LABELS, **kwargs)

    def save_model(self, request: HttpRequest, obj: Site, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and {*_STORY_RULES, *_PROFILE_RULES} & {*form.changed_data}:
            text = "Published stories stay. Drafts that wait are held against the new rules within a minute."
            self.message_user(request, text, messages.INFO)
