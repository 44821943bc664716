from django.urls import path

from apps.stories.views.owner import history, interview, preview, story, unpublish

urlpatterns = [
    path("account/interview", interview.edit, name="edit_interview"),
    path("account/interview/autosave", interview.autosave_interview, name="autosave_interview"),
    path("account/interview/history", history.interview_history, name="interview_history"),
    path("account/interview/versions/<int:version_id>/restore", history.interview_restore, name="interview_restore"),
    path("listings/<slug:slug>/story", story.edit, name="edit_story"),
    path("listings/<slug:slug>/story/autosave", story.autosave_story, name="autosave_story"),
    path("listings/<slug:slug>/story/preview", preview.story_preview, name="story_preview"),
    path("listings/<slug:slug>/story/unpublish", unpublish.unpublish, name="unpublish_story"),
    path("listings/<slug:slug>/story/history", history.story_history, name="story_history"),
    path("listings/<slug:slug>/story/versions/<int:version_id>/restore", history.restore, name="restore_story"),
]
