from django.urls import path
from django.views.generic import RedirectView

from apps.launches.api.leaderboards import LeaderboardViewSet
from apps.launches.api.my_listings import LaunchViewSet
from apps.launches.views import badges, feeds, reminders, vote_ledgers, votes
from apps.sites.seo.feeds import feed_paths

api_urlpatterns = [
    path("me/listings/<int:listing_id>/free", LaunchViewSet.as_view({"post": "choose_free_listing"})),
    path("me/listings/<int:listing_id>/move", LaunchViewSet.as_view({"post": "move_launch"})),
    path("me/listings/<int:listing_id>/badges", LaunchViewSet.as_view({"get": "get_badges"})),
    path("leaderboards/<str:board>", LeaderboardViewSet.as_view({"get": "get_leaderboard"})),
]
urlpatterns = [
    path("about/ranking", vote_ledgers.ranking, name="ranking"),
    path("about/transparency", vote_ledgers.transparency, name="transparency"),
    path("ledgers", vote_ledgers.ledger_list, name="ledgers"),
    path("ledgers/<str:week>.jsonl", vote_ledgers.ledger, name="ledger"),
    *feed_paths("launches", feeds.launches_feed, name="launches_feed"),
    path("listings/<slug:slug>/badges", badges.badges, name="badges"),
    path("listings/<slug:slug>/badges/<slug:name>.svg", badges.picture, name="badge_picture"),
    path("listings/<slug:slug>/badge", RedirectView.as_view(pattern_name="badges"), name="badge"),
    path("listings/<slug:slug>/badge.svg", badges.following_picture, name="badge_image"),
    path("listings/<slug:slug>/remind", reminders.remind, name="remind"),
    path("listings/<slug:slug>/remind-email", reminders.remind_email, name="remind_email"),
    path("launch-reminders/<str:token>", reminders.confirm_reminder, name="confirm_reminder"),
    path("listings/<slug:slug>/vote", votes.vote, name="vote"),
]
