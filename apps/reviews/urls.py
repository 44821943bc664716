from django.urls import path

from apps.reviews.api import ReviewViewSet
from apps.reviews.views import feeds, owner, reviews
from apps.sites.seo.feeds import feed_paths

_ALL = "listings/<slug:slug>/reviews"

api_urlpatterns = [path(_ALL, ReviewViewSet.as_view({"get": "list_reviews"}))]
urlpatterns = [
    path(_ALL, reviews.reviews, name="reviews"),
    *feed_paths(_ALL, feeds.reviews_feed, name="reviews_feed"),
    path(f"{_ALL}/new", reviews.new_review, name="new_review"),
    path(f"{_ALL}/<int:review_id>", reviews.review, name="review"),
    path(f"{_ALL}/<int:review_id>/edit", reviews.edit_review, name="edit_review"),
    path(f"{_ALL}/<int:review_id>/delete", reviews.delete_review, name="delete_review"),
    path(f"{_ALL}/<int:review_id>/answer", reviews.answer_review, name="answer_review"),
    path(f"{_ALL}/manage", owner.listing_reviews, name="listing_reviews"),
    path(f"{_ALL}/links/new", owner.new_review_link, name="new_review_link"),
    path(f"{_ALL}/links/<int:link_id>/revoke", owner.revoke_review_link, name="revoke_review_link"),
    path(f"{_ALL}/domains/new", owner.add_customer_domain, name="add_customer_domain"),
    path(f"{_ALL}/domains/<int:domain_id>/remove", owner.remove_customer_domain, name="remove_customer_domain"),
]
