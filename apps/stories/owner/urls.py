from django.urls import path

from apps.stories.owner import history_pages, interview_pages, preview_page, story_pages, unpublish_page

urlpatterns = [
    path("account/interview", interview_pages.edit, name="edit_interview"),
    path("account/interview/autosave", interview_pages.autosave_interview, name="autosave_interview"),
    path("account/interview/history", interview_pages.history, name="interview_history"),
    path("listings/<slug:slug>/story", story_pages.edit, name="edit_story"),
    path("listings/<slug:slug>/story/autosave", story_pages.autosave_story, name="autosave_story"),
    path("listings/<slug:slug>/story/preview", preview_page.story_preview, name="story_preview"),
    path("listings/<slug:slug>/story/unpublish", unpublish_page.unpublish, name="unpublish_story"),
    path("listings/<slug:slug>/story/history", history_pages.story_history, name="story_history"),
    path("listings/<slug:slug>/story/versions/<int:version_id>/restore", history_pages.restore, name="restore_story"),
]
