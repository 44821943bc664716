from django.urls import path
from django.views.generic import RedirectView

from apps.launches import (
    badge_pages,
    board_pages,
    category_pages,
    embed_pages,
    feeds,
    ledger_pages,
    owner_pages,
    pages,
    search_pages,
    statistics_pages,
    week_pages,
)
from apps.launches.owner_views import LaunchViewSet
from apps.launches.views import LeaderboardViewSet
from apps.sites.seo.feeds import feed_paths

api_urlpatterns = [
    path("me/listings/<int:listing_id>/free", LaunchViewSet.as_view({"post": "choose_free_listing"})),
    path("me/listings/<int:listing_id>/badges", LaunchViewSet.as_view({"get": "get_badges"})),
    path("leaderboards/<str:board>", LeaderboardViewSet.as_view({"get": "get_leaderboard"})),
]
urlpatterns = [
    path("", board_pages.home, name="home"),
    path("boards", board_pages.past_boards, name="boards"),
    path("boards/<str:key>", board_pages.board, name="board"),
    path("boards/<str:key>/preview.png", board_pages.board_image, name="board_image"),
    path("about/ranking", ledger_pages.ranking, name="ranking"),
    path("ledgers", ledger_pages.ledger_list, name="ledgers"),
    path("ledgers/<str:week>.jsonl", ledger_pages.ledger, name="ledger"),
    path("weeks", week_pages.weeks, name="weeks"),
    *feed_paths("launches", feeds.launches_feed, name="launches_feed"),
    path("oembed", embed_pages.oembed, name="oembed"),
    path("listings/<slug:slug>/embed", embed_pages.embed, name="listing_embed"),
    path("search", search_pages.search_page, name="search"),
    path("categories", category_pages.category_index, name="categories"),
    path("categories/<slug:slug>", category_pages.category, name="category"),
    path("listings/<slug:slug>", pages.detail, name="listing"),
    path("listings/<slug:slug>/preview.png", pages.listing_image, name="listing_image"),
    path("listings/<slug:slug>/badges", badge_pages.badges, name="badges"),
    path("listings/<slug:slug>/badges/<slug:name>.svg", badge_pages.picture, name="badge_picture"),
    path("listings/<slug:slug>/badge", RedirectView.as_view(pattern_name="badges"), name="badge"),
    path("listings/<slug:slug>/badge.svg", badge_pages.following_picture, name="badge_image"),
    path("listings/<slug:slug>/launch", owner_pages.launch, name="launch"),
    path("listings/<slug:slug>/free", owner_pages.choose_free, name="choose_free"),
    path("listings/<slug:slug>/move", owner_pages.move, name="move_launch"),
    path("listings/<slug:slug>/statistics", statistics_pages.listing_statistics, name="listing_statistics"),
    path("listings/<slug:slug>/statistics.csv", statistics_pages.days_csv, name="statistics_csv"),
    path("listings/<slug:slug>/referrers.csv", statistics_pages.sources_csv, name="referrers_csv"),
    path("listings/<slug:slug>/vote", pages.vote, name="vote"),
]
