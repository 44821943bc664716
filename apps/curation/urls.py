from django.urls import path

from apps.curation.views import collections, feeds, own
from apps.sites.seo.feeds import feed_paths

_COLLECTION = "collections/<int:pk>-<slug:slug>"

urlpatterns = [
    path("account/collections", own.own_collections, name="own_collections"),
    path("collections", collections.collections, name="collections"),
    path("collections/new", own.new_collection, name="new_collection"),
    path(_COLLECTION, collections.collection, name="collection"),
    *feed_paths(_COLLECTION, feeds.collection_feed, name="collection_feed"),
    path(f"{_COLLECTION}/preview.png", collections.collection_image, name="collection_image"),
    path(f"{_COLLECTION}/follow", collections.follow_collection, name="follow_collection"),
    path(f"{_COLLECTION}/edit", own.edit_collection, name="edit_collection"),
    path(f"{_COLLECTION}/delete", own.delete_collection, name="delete_collection"),
    path("listings/<slug:slug>/save", own.save_to_collections, name="save_to_collections"),
]
