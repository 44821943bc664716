"""Settings of the authorization server, for django-oauth-toolkit."""

from typing import Any

from apps.core.api.scopes import OWNER_SCOPES, SCOPE_TEXTS


def provider(*, issuer: str, registration: bool, documents: bool) -> dict[str, Any]:
    """Return OAUTH2_PROVIDER. `issuer` is the public URL without a trailing slash. Times are in seconds.

    `registration` and `documents` allow clients to register themselves and to use metadata documents.
    """
    return {
        "SCOPES": {str(scope): SCOPE_TEXTS[scope] for scope in OWNER_SCOPES},
        "DEFAULT_SCOPES": ["account:read"],
        # Never from the request: a forged Host header could name the issuer.
        "OIDC_ISS_ENDPOINT": issuer,
        "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",
        "OAUTH2_BACKEND_CLASS": "apps.accounts.oauth.server.ServerCore",
        "OAUTH2_VALIDATOR_CLASS": "apps.accounts.oauth.server.Validator",
        "ACCESS_TOKEN_GENERATOR": "apps.accounts.oauth.server.new_access_token",
        "REFRESH_TOKEN_GENERATOR": "apps.accounts.oauth.server.new_refresh_token",
        "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
        "REFRESH_TOKEN_EXPIRE_SECONDS": 30 * 24 * 3600,
        "REFRESH_TOKEN_REUSE_PROTECTION": True,
        # How long a used refresh token stays valid for its own client.
        "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 60,
        "PKCE_REQUIRED": True,
        "ALLOW_LOCALHOST_LOOPBACK": True,
        "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
        "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
        "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none"],
        "DCR_ENABLED": registration,
        "CIMD_ENABLED": documents,
        "CIMD_METADATA_FETCHER": "apps.accounts.oauth.documents.DocumentFetcher",
        "CIMD_REGISTRATION_PERMISSION_CLASSES": ["apps.accounts.oauth.documents.WhileSomebodyAsks"],
        "CIMD_MAX_CONCURRENT_FETCHES": 4,
        # RFC 9700. Redirect schemes stay open: programs on a person's computer need http on loopback.
        "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
        "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
        "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
        "COMPLIANT_BCP_RFC9700_PKCE_REQUIRED": True,
        "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
        "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
        "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
        "COMPLIANT_BCP_RFC9700_REFRESH_TOKEN": True,
        "COMPLIANT_BCP_RFC9700_REDIRECT_URI_MATCHING": True,
    }
