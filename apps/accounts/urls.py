from django.urls import path

from apps.accounts import pages, views
from apps.accounts.api_keys import urls as api_keys
from apps.accounts.oauth import urls as oauth
from apps.accounts.sign_in import urls as sign_in
from apps.core.resources import Audience

urlpatterns = [
    *sign_in.urlpatterns,
    *api_keys.urlpatterns,
    *oauth.urlpatterns,
    path(Audience.MCP[1:], views.MessageView.as_view()),
    path("account/profile", pages.profile, name="profile"),
    path("founders/<int:user_id>/photo", pages.photo, name="founder_photo"),
]
