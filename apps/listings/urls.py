from django.urls import path

from apps.listings import pages
from apps.listings.views import ListingViewSet, MyListingViewSet

api_urlpatterns = [
    path("listings", ListingViewSet.as_view({"get": "search_listings"})),
    path("me/listings", MyListingViewSet.as_view({"get": "list_my_listings"})),
    path("me/listings/<int:listing_id>", MyListingViewSet.as_view({"get": "get_my_listing"})),
]
urlpatterns = [
    path("updates", pages.updates, name="updates"),
    path("account", pages.dashboard, name="dashboard"),
]
