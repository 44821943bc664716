from django.urls import path

from apps.drafts.api.drafts import DraftViewSet, RecrawlViewSet
from apps.drafts.review import views as review_pages
from apps.drafts.views import differences, drafts

api_urlpatterns = [
    path("drafts", DraftViewSet.as_view({"post": "create_draft"})),
    path("drafts/<int:id>", DraftViewSet.as_view({"get": "get_draft", "patch": "update_draft"})),
    path("drafts/<int:id>/cancel", DraftViewSet.as_view({"post": "cancel_draft"})),
    path("me/listings/<int:listing_id>/recrawl", RecrawlViewSet.as_view({"post": "recrawl_listing"})),
    path("drafts/<int:id>/submit", DraftViewSet.as_view({"post": "submit_draft"})),
]
urlpatterns = [
    path("drafts", drafts.drafts, name="drafts"),
    path("drafts/new", drafts.new, name="draft_new"),
    path("drafts/<int:pk>", review_pages.detail, name="draft"),
    path("drafts/<int:pk>/save", review_pages.save, name="draft_save"),
    path("drafts/<int:pk>/preview", review_pages.preview, name="draft_preview"),
    path("drafts/<int:pk>/upload", review_pages.upload, name="draft_upload"),
    path("drafts/<int:pk>/submit", review_pages.submit, name="draft_submit"),
    path("drafts/<int:pk>/cancel", drafts.cancel, name="draft_cancel"),
    path("drafts/<int:pk>/differences", differences.differences, name="draft_differences"),
]
