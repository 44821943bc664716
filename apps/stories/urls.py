from django.urls import path

from apps.stories import pages
from apps.stories.views import InterviewViewSet

api_urlpatterns = [
    path("interview-questions", InterviewViewSet.as_view({"get": "list_interview_questions"})),
]
urlpatterns = [
    path("stories", pages.stories, name="stories"),
    path("stories/<slug:slug>", pages.story, name="story"),
]
