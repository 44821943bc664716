from django.urls import path

from apps.listings.claims import pages

urlpatterns = [
    path("claims/new", pages.new, name="claim_new"),
    path("claims/<int:pk>", pages.detail, name="claim"),
    path("claims/<int:pk>/look", pages.look, name="claim_look"),
]
