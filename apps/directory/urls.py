from django.urls import path
from django.views.generic import RedirectView

from apps.directory.views import (
    categories,
    compare,
    embeds,
    following,
    leaderboards,
    listings,
    past_boards,
    pricing,
    search,
    weeks,
)
from apps.directory.views.owner import dashboard, launch, overview, share

urlpatterns = [
    path("", leaderboards.home, name="home"),
    path("boards", past_boards.past_boards, name="boards"),
    path("boards/<str:key>", leaderboards.board, name="board"),
    path("boards/<str:key>/preview.png", leaderboards.board_image, name="board_image"),
    path("weeks", weeks.weeks, name="weeks"),
    path("oembed", embeds.oembed, name="oembed"),
    path("listings/<slug:slug>/embed", embeds.embed, name="listing_embed"),
    path("search", search.search_page, name="search"),
    path("search/suggestions", search.suggestions, name="search_suggestions"),
    path("categories", categories.category_index, name="categories"),
    path("categories/<slug:slug>", categories.category, name="category"),
    path("listings", RedirectView.as_view(pattern_name="search", permanent=True)),
    path("listings/<slug:slug>", listings.detail, name="listing"),
    path("listings/<slug:slug>/preview.png", listings.listing_image, name="listing_image"),
    path("compare/<slug:pair>", compare.compare, name="compare"),
    path("account/following", following.following, name="following"),
    path("account", dashboard.dashboard, name="dashboard"),
    path("listings/<slug:slug>/manage", overview.overview, name="manage_listing"),
    path("listings/<slug:slug>/launch", launch.launch, name="launch"),
    path("listings/<slug:slug>/share", share.share, name="share_listing"),
    path("listings/<slug:slug>/free", launch.choose_free, name="choose_free"),
    path("listings/<slug:slug>/move", launch.move, name="move_launch"),
    path("pricing", pricing.pricing, name="pricing"),
]
