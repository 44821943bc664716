"""What this app stores about people, why, and for how long. See apps.core.operations.personal_data."""

from apps.core.operations.personal_data.records import WITH_ACCOUNT, AtErasure, PersonalRecords
from apps.core.operations.personal_data.retention import Retention

_SHARED = "created updated"

RECORDS = (
    PersonalRecords(
        model="accounts.User",
        person="pk",
        exported="id email name last_login is_superuser is_staff is_active joined_at email_notifications "
        "in_app_notifications events_read updates_read launches_read groups user_permissions deletion_due_at erased_at "
        "needs_proof sign_up_network",
        withheld="password",
        why="sign-in and contact",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.CLEAR,
        cleared="name last_login sign_up_network",
    ),
    PersonalRecords(
        model="accounts.DataExport",
        person="user",
        exported="id requested_at made_at expires_at size",
        withheld="user file",
        why="copies of their data that people asked for",
        kept="3 days",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="account.EmailAddress",
        person="user",
        exported="id email verified primary",
        withheld="user",
        why="verification of email addresses",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="mfa.Authenticator",
        person="user",
        exported="id type created_at last_used_at",
        withheld="user data",
        why="passkeys, authenticator app and recovery codes",
        kept="until removed",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="socialaccount.SocialAccount",
        person="user",
        exported="id provider uid last_login date_joined extra_data",
        withheld="user",
        why="sign-in with GitHub, Google or single sign-on",
        kept="until removed",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="socialaccount.SocialToken",
        person="account__user",
        exported="id expires_at",
        withheld="app account token token_secret",
        why="sign-in with GitHub, Google or single sign-on",
        kept="not used",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="usersessions.UserSession",
        person="user",
        exported="id created_at ip last_seen_at user_agent",
        withheld="user session_key data",
        why="showing where an account is signed in",
        kept="until the session ends",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="accounts.ApiKey",
        person="user",
        exported="id name scope prefix created_at expires_at last_used_at revoked_at replaced_by warned_at",
        withheld="user token form_token warning_leased_at",
        why="API access",
        kept=WITH_ACCOUNT,
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="accounts.Application",
        person="user",
        exported="id client_id name redirect_uris post_logout_redirect_uris allowed_origins created updated "
        "client_type authorization_grant_type is_active registration_source cimd_expires_at",
        withheld="user client_secret hash_client_secret skip_authorization algorithm",
        why="clients that an account registered",
        kept="until nobody uses them",
        at_erasure=AtErasure.UNLINK,
    ),
    PersonalRecords(
        model="accounts.Connection",
        person="user",
        exported="id application connected_at last_used_at",
        withheld="user",
        why="connected apps",
        kept="until disconnected",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="oauth2_provider.Grant",
        person="user",
        exported=f"id application expires redirect_uri scope {_SHARED}",
        withheld="user code code_challenge code_challenge_method nonce claims resource",
        why="connecting an app",
        kept="until the daily cleanup after they expire",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="oauth2_provider.AccessToken",
        person="user",
        exported=f"id application expires scope {_SHARED}",
        withheld="user source_refresh_token token token_checksum id_token resource",
        why="API keys and access of connected apps",
        kept="until revoked or expired",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="oauth2_provider.RefreshToken",
        person="user",
        exported=f"id application revoked {_SHARED}",
        withheld="user token token_checksum access_token token_family resource",
        why="access of connected apps",
        kept="until revoked or expired",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="oauth2_provider.IDToken",
        person="user",
        exported=f"id application expires scope {_SHARED}",
        withheld="user jti",
        why="access of connected apps",
        kept="not used",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="oauth2_provider.DeviceGrant",
        person="user",
        exported="id scope expires status client_id last_checked",
        withheld="user device_code user_code interval",
        why="access of connected apps",
        kept="not used",
        at_erasure=AtErasure.DELETE,
    ),
    PersonalRecords(
        model="accounts.FounderProfile",
        person="user",
        exported="id slug real_name role bio links photo_key photo_pixels updated_at",
        withheld="user",
        files="photo_key",
        why="display on listings and stories",
        kept="until changed or removed",
        at_erasure=AtErasure.DELETE,
    ),
)

RETENTION = (Retention(model="accounts.User", days="sign_up_networks", since="joined_at", clears="sign_up_network"),)

IMPERSONAL = {
    "account.EmailConfirmation": "secrets of confirmation links; the address is in account.EmailAddress",
    "auth.Group": "names of groups",
    "auth.Permission": "names of permissions",
    "sessions.Session": "signed-in browsers; what is known about them is in usersessions.UserSession",
    "socialaccount.SocialApp": "not used: providers are in the settings",
}
