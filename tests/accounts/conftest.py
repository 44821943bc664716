import socket
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from allauth.socialaccount.providers.google import views as google

from apps.sites.models import Site
from tests.identity_server import CLIENT_ID, CLIENT_SECRET, IdentityServer
from tests.providers.http import serve


@pytest.fixture
def silent_server() -> Iterator[int]:
    """The port of a server that accepts and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def server(site: Site, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[IdentityServer]:
    """Signs people in under the names oidc, github and google."""
    with serve(IdentityServer()) as started:
        app = {"client_id": CLIENT_ID, "secret": CLIENT_SECRET}
        about = {"OAUTH_PKCE_ENABLED": True, "PAGE_ORIGIN": started.url}
        oidc = {**app, "provider_id": "oidc", "name": "Example SSO", "settings": {"server_url": started.url}}
        settings.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {"APPS": [oidc], **about},
            "github": {"APPS": [{**app, "name": "GitHub"}], **about},
            "google": {"APPS": [{**app, "name": "Google"}], **about},
        }
        monkeypatch.setattr(GitHubOAuth2Adapter, "access_token_url", f"{started.url}/login/oauth/access_token")
        monkeypatch.setattr(GitHubOAuth2Adapter, "authorize_url", f"{started.url}/login/oauth/authorize")
        monkeypatch.setattr(GitHubOAuth2Adapter, "profile_url", f"{started.url}/api/v3/user")
        monkeypatch.setattr(GitHubOAuth2Adapter, "emails_url", f"{started.url}/api/v3/user/emails")
        monkeypatch.setattr(google.GoogleOAuth2Adapter, "access_token_url", f"{started.url}/token")
        monkeypatch.setattr(google.GoogleOAuth2Adapter, "authorize_url", f"{started.url}/authorize")
        monkeypatch.setattr(google, "ID_TOKEN_ISSUER", started.url)
        yield started
