from django.urls import path

from apps.listings.claims import views

urlpatterns = [
    path("claims/new", views.new, name="claim_new"),
    path("claims/<int:pk>", views.detail, name="claim"),
    path("claims/<int:pk>/look", views.check, name="claim_check"),
]
