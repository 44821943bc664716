from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from apps.accounts import pages

urlpatterns = [
    path(
        "account/sign-in",
        LoginView.as_view(template_name="accounts/sign_in.html", redirect_authenticated_user=True),
        name="sign_in",
    ),
    path("account/sign-out", LogoutView.as_view(), name="sign_out"),
    path("account/keys", pages.api_keys, name="api_keys"),
    path("account/keys/<int:key_id>/revoke", pages.api_key_revoke, name="api_key_revoke"),
    path("account/profile", pages.profile, name="profile"),
    path("founders/<int:user_id>/photo", pages.photo, name="founder_photo"),
]
