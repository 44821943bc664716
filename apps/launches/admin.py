from django.contrib import admin
from unfold.admin import ModelAdmin

from apps.launches.models import LaunchWeek


@admin.register(LaunchWeek)
class LaunchWeekAdmin(ModelAdmin):  # type: ignore[misc]
    list_display = ("iso_week", "site", "free_places", "paid_places")
    list_filter = ("site",)
    list_editable = ("free_places", "paid_places")
    ordering = ("-iso_week", "site")
