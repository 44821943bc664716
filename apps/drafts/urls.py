from django.urls import path

from apps.drafts import difference_pages, pages
from apps.drafts.review import pages as review_pages
from apps.drafts.views import DraftViewSet

api_urlpatterns = [
    path("drafts", DraftViewSet.as_view({"post": "create_draft"})),
    path("drafts/<int:id>", DraftViewSet.as_view({"get": "get_draft", "patch": "update_draft"})),
    path("drafts/<int:id>/submit", DraftViewSet.as_view({"post": "submit_draft"})),
]
urlpatterns = [
    path("drafts", pages.drafts, name="drafts"),
    path("drafts/new", pages.new, name="draft_new"),
    path("drafts/<int:pk>", review_pages.detail, name="draft"),
    path("drafts/<int:pk>/save", review_pages.save, name="draft_save"),
    path("drafts/<int:pk>/submit", review_pages.submit, name="draft_submit"),
    path("drafts/<int:pk>/cancel", pages.cancel, name="draft_cancel"),
    path("drafts/<int:pk>/differences", difference_pages.differences, name="draft_differences"),
]
