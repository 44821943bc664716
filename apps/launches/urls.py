from django.urls import path
from django.views.generic import RedirectView

from apps.launches.api.leaderboards import LeaderboardViewSet
from apps.launches.api.my_listings import LaunchViewSet
from apps.launches.views import (
    badges,
    categories,
    compare,
    embeds,
    feeds,
    leaderboards,
    listings,
    past_boards,
    reminders,
    search,
    vote_ledgers,
    weeks,
)
from apps.launches.views.owner import dashboard, launch, overview, share
from apps.sites.seo.feeds import feed_paths

api_urlpatterns = [
    path("me/listings/<int:listing_id>/free", LaunchViewSet.as_view({"post": "choose_free_listing"})),
    path("me/listings/<int:listing_id>/move", LaunchViewSet.as_view({"post": "move_launch"})),
    path("me/listings/<int:listing_id>/badges", LaunchViewSet.as_view({"get": "get_badges"})),
    path("leaderboards/<str:board>", LeaderboardViewSet.as_view({"get": "get_leaderboard"})),
]
urlpatterns = [
    path("", leaderboards.home, name="home"),
    path("boards", past_boards.past_boards, name="boards"),
    path("boards/<str:key>", leaderboards.board, name="board"),
    path("boards/<str:key>/preview.png", leaderboards.board_image, name="board_image"),
    path("about/ranking", vote_ledgers.ranking, name="ranking"),
    path("about/transparency", vote_ledgers.transparency, name="transparency"),
    path("ledgers", vote_ledgers.ledger_list, name="ledgers"),
    path("ledgers/<str:week>.jsonl", vote_ledgers.ledger, name="ledger"),
    path("weeks", weeks.weeks, name="weeks"),
    *feed_paths("launches", feeds.launches_feed, name="launches_feed"),
    path("oembed", embeds.oembed, name="oembed"),
    path("listings/<slug:slug>/embed", embeds.embed, name="listing_embed"),
    path("search", search.search_page, name="search"),
    path("search/suggestions", search.suggestions, name="search_suggestions"),
    path("categories", categories.category_index, name="categories"),
    path("categories/<slug:slug>", categories.category, name="category"),
    path("listings/<slug:slug>", listings.detail, name="listing"),
    path("listings/<slug:slug>/preview.png", listings.listing_image, name="listing_image"),
    path("listings/<slug:slug>/badges", badges.badges, name="badges"),
    path("listings/<slug:slug>/badges/<slug:name>.svg", badges.picture, name="badge_picture"),
    path("listings/<slug:slug>/badge", RedirectView.as_view(pattern_name="badges"), name="badge"),
    path("listings/<slug:slug>/badge.svg", badges.following_picture, name="badge_image"),
    path("compare/<slug:pair>", compare.compare, name="compare"),
    path("account", dashboard.dashboard, name="dashboard"),
    path("listings/<slug:slug>/manage", overview.overview, name="manage_listing"),
    path("listings/<slug:slug>/launch", launch.launch, name="launch"),
    path("listings/<slug:slug>/share", share.share, name="share_listing"),
    path("listings/<slug:slug>/free", launch.choose_free, name="choose_free"),
    path("listings/<slug:slug>/move", launch.move, name="move_launch"),
    path("listings/<slug:slug>/remind", reminders.remind, name="remind"),
    path("listings/<slug:slug>/remind-email", reminders.remind_email, name="remind_email"),
    path("launch-reminders/<str:token>", reminders.confirm_reminder, name="confirm_reminder"),
    path("listings/<slug:slug>/vote", listings.vote, name="vote"),
]
