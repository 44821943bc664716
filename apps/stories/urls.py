from django.urls import path

from apps.sites.seo.feeds import feed_paths
from apps.stories.api.interviews import InterviewViewSet
from apps.stories.api.stories import StoryViewSet
from apps.stories.views import feeds, founder_list, founders, stories
from apps.stories.views.owner import urls as owner

api_urlpatterns = [
    path("me/listings/<int:listing_id>/story", StoryViewSet.as_view({"put": "set_founder_story"})),
    path("interview-questions", InterviewViewSet.as_view({"get": "list_interview_questions"})),
    path("me/interview", InterviewViewSet.as_view({"put": "answer_interview"})),
]
urlpatterns = [
    *owner.urlpatterns,
    path("stories", stories.stories, name="stories"),
    *feed_paths("stories", feeds.stories_feed, name="stories_feed"),
    path("stories/<slug:slug>", stories.story, name="story"),
    path("stories/<slug:slug>/preview.png", stories.story_image, name="story_image"),
    path("founders", founder_list.founders, name="founders"),
    path("founders/<slug:slug>", founders.founder, name="founder"),
    path("founders/<slug:slug>/preview.png", founders.founder_image, name="founder_image"),
]
