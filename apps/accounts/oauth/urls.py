"""URLs of the authorization server. The toolkit reverses its own by this namespace and these names."""

from django.urls import include, path

from apps.accounts.oauth import consent, views
from apps.core.api.audience import METADATA_PATH, Audience

_protocol = [
    path("oauth/authorize", consent.authorize, name="authorize"),
    path("oauth/token", views.Token.as_view(), name="token"),
    path("oauth/register", views.Registration.as_view(), name="dcr-register"),
    path("oauth/revoke", views.Revocation.as_view(), name="revoke-token"),
    path(".well-known/oauth-authorization-server", views.ServerMetadata.as_view(), name="oauth-server-metadata"),
]
urlpatterns = [
    path("", include((_protocol, "oauth2_provider"))),
    path(METADATA_PATH[1:], views.ResourceMetadata.as_view()),
    *(
        path(f"{METADATA_PATH[1:]}{audience}", views.ResourceMetadata.as_view(audience=audience))
        for audience in Audience
    ),
    path("account/apps", consent.apps_page, name="connected_apps"),
    path("account/apps/<int:connection_id>/disconnect", consent.app_disconnect, name="app_disconnect"),
]
