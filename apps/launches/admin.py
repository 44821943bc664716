from django.contrib import admin

from apps.core.admin import ModelAdmin
from apps.launches.models import LaunchWeek


@admin.register(LaunchWeek)
class LaunchWeekAdmin(ModelAdmin):
    list_display = ("iso_week", "site", "free_places", "paid_places")
    list_filter = ("site",)
    list_editable = ("free_places", "paid_places")
    ordering = ("-iso_week", "site")
