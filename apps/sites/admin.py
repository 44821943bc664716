from django.contrib import admin

from apps.core.admin import ModelAdmin
from apps.sites.models import Site


@admin.register(Site)
class SiteAdmin(ModelAdmin):
    list_display = ("name", "key", "host", "is_default", "free_queue_weeks", "free_places_per_week")
    fieldsets = (
        (None, {"fields": ("key", "host", "name", "tagline", "hue", "is_default")}),
        (
            "Launches",
            {"fields": ("free_queue_weeks", "free_places_per_week", "paid_places_per_week", "is_moderated")},
        ),
        ("Badges", {"fields": ("badge_checks_per_hour",)}),
        (
            "Stories and profiles",
            {
                "fields": (
                    "story_min_words",
                    "story_min_sections",
                    "story_min_section_words",
                    "profile_min_bio_characters",
                )
            },
        ),
        ("Limits", {"fields": ("drafts_per_hour",)}),
    )
