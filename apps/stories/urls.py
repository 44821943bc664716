from django.urls import path

from apps.stories import pages
from apps.stories.views import InterviewViewSet, StoryViewSet

api_urlpatterns = [
    path("me/listings/<int:listing_id>/story", StoryViewSet.as_view({"put": "set_founder_story"})),
    path("interview-questions", InterviewViewSet.as_view({"get": "list_interview_questions"})),
]
urlpatterns = [
    path("stories", pages.stories, name="stories"),
    path("stories/<slug:slug>", pages.story, name="story"),
]
