from django.urls import path

from apps.sites.seo.feeds import feed_paths
from apps.stories import feeds, founder_list, founder_pages, pages
from apps.stories.interview_views import InterviewViewSet
from apps.stories.owner import urls as owner
from apps.stories.views import StoryViewSet

api_urlpatterns = [
    path("me/listings/<int:listing_id>/story", StoryViewSet.as_view({"put": "set_founder_story"})),
    path("interview-questions", InterviewViewSet.as_view({"get": "list_interview_questions"})),
    path("me/interview", InterviewViewSet.as_view({"put": "answer_interview"})),
]
urlpatterns = [
    *owner.urlpatterns,
    path("stories", pages.stories, name="stories"),
    *feed_paths("stories", feeds.stories_feed, name="stories_feed"),
    path("stories/<slug:slug>", pages.story, name="story"),
    path("stories/<slug:slug>/preview.png", pages.story_image, name="story_image"),
    path("founders", founder_list.founders, name="founders"),
    path("founders/<slug:slug>", founder_pages.founder, name="founder"),
    path("founders/<slug:slug>/preview.png", founder_pages.founder_image, name="founder_image"),
]
