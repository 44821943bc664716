from django.urls import path

from apps.launches import owner_pages, pages
from apps.launches.views import LaunchViewSet, LeaderboardViewSet

api_urlpatterns = [
    path("me/listings/<int:listing_id>/free", LaunchViewSet.as_view({"post": "choose_free_listing"})),
    path("leaderboards/<str:board>", LeaderboardViewSet.as_view({"get": "get_leaderboard"})),
]
urlpatterns = [
    path("", pages.home, name="home"),
    path("boards/<str:key>", pages.board, name="board"),
    path("weeks", pages.weeks, name="weeks"),
    path("search", pages.search_page, name="search"),
    path("categories/<slug:slug>", pages.category, name="category"),
    path("listings/<slug:slug>", pages.detail, name="listing"),
    path("listings/<slug:slug>/badge", owner_pages.badge, name="badge"),
    path("listings/<slug:slug>/badge.svg", owner_pages.badge_image, name="badge_image"),
    path("listings/<slug:slug>/free", owner_pages.choose_free, name="choose_free"),
    path("listings/<slug:slug>/vote", pages.vote, name="vote"),
]
