from django.urls import path

from apps.core.email.unsubscribe import unsubscribe
from apps.listings.api.my_listings import MyListingViewSet
from apps.listings.api.search import ListingViewSet
from apps.listings.api.updates import UpdateViewSet
from apps.listings.api.versions import VersionViewSet
from apps.listings.claims import views as claims
from apps.listings.claims.api import ClaimViewSet
from apps.listings.views import feeds, updates
from apps.listings.views.owner import archive, editor, history, milestones, pictures
from apps.listings.views.owner import updates as owner_updates
from apps.sites.seo.feeds import feed_paths

api_urlpatterns = [
    path("listings", ListingViewSet.as_view({"get": "search_listings"})),
    path("listings/<str:slug>", ListingViewSet.as_view({"get": "get_listing"})),
    path("categories", ListingViewSet.as_view({"get": "list_categories"})),
    path("claims", ClaimViewSet.as_view({"post": "claim_website"})),
    path("claims/<int:id>/check", ClaimViewSet.as_view({"post": "check_claim"})),
    path("me/listings", MyListingViewSet.as_view({"get": "list_my_listings"})),
    path("me/listings/<int:listing_id>/updates", UpdateViewSet.as_view({"post": "post_listing_update"})),
    path(
        "me/listings/<int:listing_id>/updates/<int:update_id>",
        UpdateViewSet.as_view({"delete": "delete_listing_update"}),
    ),
    path("me/listings/<int:listing_id>/versions", VersionViewSet.as_view({"get": "list_versions"})),
    path(
        "me/listings/<int:listing_id>/versions/<int:version_id>/restore",
        VersionViewSet.as_view({"post": "restore_version"}),
    ),
    path(
        "me/listings/<int:listing_id>",
        MyListingViewSet.as_view({"get": "get_my_listing", "patch": "update_my_listing"}),
    ),
    path("me/listings/<int:listing_id>/archive", MyListingViewSet.as_view({"post": "archive_listing"})),
    path("me/listings/<int:listing_id>/milestones", MyListingViewSet.as_view({"post": "add_milestone"})),
    path(
        "me/listings/<int:listing_id>/milestones/<int:milestone_id>",
        MyListingViewSet.as_view({"delete": "delete_milestone"}),
    ),
]
urlpatterns = [
    path("updates", updates.updates, name="updates"),
    *feed_paths("updates", feeds.site_feed, name="updates_feed"),
    *feed_paths("listings/<slug:slug>/updates", feeds.listing_feed, name="listing_feed"),
    path("listings/<slug:slug>/follow", updates.follow, name="follow"),
    path("listings/<slug:slug>/archive", archive.archive, name="archive_listing"),
    path("unsubscribe/<str:token>", unsubscribe, {"page": updates.UNSUBSCRIBE_PAGE}, name="unsubscribe"),
    path("account/following/<int:follow_id>/unfollow", updates.unfollow, name="unfollow"),
    path("listings/<slug:slug>/edit", editor.edit, name="edit_listing"),
    path("listings/<slug:slug>/pictures", pictures.pictures, name="listing_pictures"),
    path("listings/<slug:slug>/pictures/upload", pictures.upload, name="upload_picture"),
    path("listings/<slug:slug>/milestones", milestones.milestones, name="listing_milestones"),
    path(
        "listings/<slug:slug>/milestones/<int:milestone_id>/delete",
        milestones.delete,
        name="delete_milestone",
    ),
    path("listings/<slug:slug>/updates/new", owner_updates.new_update, name="new_update"),
    path("listings/<slug:slug>/updates/<int:update_id>/delete", owner_updates.delete, name="delete_update"),
    path("listings/<slug:slug>/history", history.history, name="listing_history"),
    path("listings/<slug:slug>/versions/<int:version_id>/restore", history.restore, name="restore_listing"),
    path("claims/new", claims.new, name="claim_new"),
    path("claims/<int:pk>", claims.detail, name="claim"),
    path("claims/<int:pk>/look", claims.check, name="claim_check"),
]
