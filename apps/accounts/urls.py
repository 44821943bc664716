from django.urls import path

from apps.accounts.api import views
from apps.accounts.api.profile import ProfileViewSet
from apps.accounts.api_keys import urls as api_keys
from apps.accounts.founders import urls as founders
from apps.accounts.notifications import urls as notifications
from apps.accounts.oauth import urls as oauth
from apps.accounts.own_data import urls as own_data
from apps.accounts.sign_in import urls as sign_in
from apps.core.api.audience import Audience

api_urlpatterns = [
    path("me/profile", ProfileViewSet.as_view({"get": "get_profile", "patch": "update_profile"})),
]
urlpatterns = [
    *sign_in.urlpatterns,
    *api_keys.urlpatterns,
    *founders.urlpatterns,
    *notifications.urlpatterns,
    *oauth.urlpatterns,
    *own_data.urlpatterns,
    path(Audience.MCP[1:], views.MessageView.as_view()),
]
