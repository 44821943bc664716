"""URLs of the API keys pages."""

from django.urls import path

from apps.accounts.api_keys import views

urlpatterns = [
    path("account/keys", views.api_keys, name="api_keys"),
    path("account/keys/new", views.api_key_new, name="api_key_new"),
    path("account/keys/<int:key_id>/rotate", views.api_key_rotate, name="api_key_rotate"),
    path("account/keys/<int:key_id>/revoke", views.api_key_revoke, name="api_key_revoke"),
]
