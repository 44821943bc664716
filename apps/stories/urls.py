from django.urls import path

from apps.sites.seo.feeds import feed_paths
from apps.stories.api.interviews import InterviewViewSet
from apps.stories.api.stories import StoryViewSet
from apps.stories.views import feeds, founders, stories
from apps.stories.views.owner import history, interview, preview, story, unpublish

api_urlpatterns = [
    path("me/listings/<int:listing_id>/story", StoryViewSet.as_view({"put": "set_founder_story"})),
    path("me/listings/<int:listing_id>/story/unpublish", StoryViewSet.as_view({"post": "unpublish_story"})),
    path("interview-questions", InterviewViewSet.as_view({"get": "list_interview_questions"})),
    path("me/interview", InterviewViewSet.as_view({"put": "answer_interview"})),
]
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
    path("stories", stories.stories, name="stories"),
    *feed_paths("stories", feeds.stories_feed, name="stories_feed"),
    path("stories/<slug:slug>", stories.story, name="story"),
    path("stories/<slug:slug>/preview.png", stories.story_image, name="story_image"),
    path("founders", founders.founders, name="founders"),
    path("founders/<slug:slug>", founders.founder, name="founder"),
    path("founders/<slug:slug>/follow", founders.follow_founder, name="follow_founder"),
    path("founders/<slug:slug>/preview.png", founders.founder_image, name="founder_image"),
]
