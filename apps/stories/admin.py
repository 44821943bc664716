from django.contrib import admin

from apps.core.admin import ModelAdmin
from apps.stories.models import FounderStory, InterviewQuestion


@admin.register(FounderStory)
class FounderStoryAdmin(ModelAdmin):
    list_display = ("__str__", "listing", "published_at")
    search_fields = ("title", "listing__company__name")
    raw_id_fields = ("listing",)


@admin.register(InterviewQuestion)
class InterviewQuestionAdmin(ModelAdmin):
    list_display = ("text", "site", "position", "is_active")
    list_filter = ("site", "is_active")
    list_editable = ("position", "is_active")
