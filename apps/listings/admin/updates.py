"""Updates and milestones in the admin, which can only remove them."""

from django.contrib import admin

from apps.core.admin.base import ModelAdmin
from apps.listings.models import Milestone, Update
from apps.moderation.admin.pages import RemovesTexts


@admin.register(Update)
class UpdateAdmin(RemovesTexts, ModelAdmin):
    case_kind = "update"
    list_select_related = ("listing__company__owner", "listing__site")
    list_display = ("title", "listing", "created_at", "notified_at")
    list_filter = ("listing__site", "created_at")
    search_fields = ("title", "body", "listing__company__name")
    fields = ("listing", "title", "body", "created_at", "notified_at")
    readonly_fields = ("notified_at",)


@admin.register(Milestone)
class MilestoneAdmin(RemovesTexts, ModelAdmin):
    case_kind = "milestone"
    list_select_related = ("listing__company__owner", "listing__site")
    list_display = ("title", "listing", "date")
    list_filter = ("listing__site", "date")
    search_fields = ("title", "description", "listing__company__name")
    fields = ("listing", "date", "title", "description", "url")
