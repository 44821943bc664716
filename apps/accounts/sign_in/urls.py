"""URLs of sign-up, sign-in and account security, under the names allauth reverses."""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from allauth.socialaccount import views as social
from django.urls import URLPattern, path
from django.views.generic.base import RedirectView

from apps.accounts.sign_in import first_admin, provider_views, views
from apps.accounts.sign_in.codes import pages


def _page(route: str, view: views.View, name: str) -> URLPattern:
    return path(f"account/{route}", views.page(view), name=name)


urlpatterns = [
    _page("sign-in", provider_views.offers_providers(account.login), "account_login"),
    _page("sign-in/passkey", views.PasskeySignInPage.as_view(), "mfa_login_webauthn"),
    _page("sign-in/second-step", pages.second_step, "mfa_authenticate"),
    _page("sign-up", provider_views.offers_providers(account.signup), "account_signup"),
    _page("sign-out", account.logout, "account_logout"),
    _page("inactive", account.account_inactive, "account_inactive"),
    _page("verify", pages.VerifyPage.as_view(), "account_email_verification_sent"),
    _page("email", account.email, "account_email"),
    _page("password", account.password_change, "account_change_password"),
    _page("password/set", views.set_password, "account_set_password"),
    _page("password/reset", pages.ResetPage.as_view(), "account_reset_password"),
    _page("password/reset/code", pages.ResetCodePage.as_view(), "account_confirm_password_reset_code"),
    _page("password/reset/new", pages.NewPasswordPage.as_view(), "account_complete_password_reset"),
    _page("reauthenticate", account.reauthenticate, "account_reauthenticate"),
    _page("reauthenticate/code", mfa.reauthenticate, "mfa_reauthenticate"),
    _page("reauthenticate/email", pages.CodeByEmailAgainPage.as_view(), "reauthenticate_by_email"),
    _page("reauthenticate/passkey", views.PasskeyAgainPage.as_view(), "mfa_reauthenticate_webauthn"),
    _page("security", provider_views.offers_providers(mfa.index), "mfa_index"),
    _page("passkeys", webauthn.list_webauthn, "mfa_list_webauthn"),
    _page("passkeys/new", views.NewPasskeyPage.as_view(), "mfa_add_webauthn"),
    _page("passkeys/<int:pk>/rename", webauthn.edit_webauthn, "mfa_edit_webauthn"),
    _page("passkeys/<int:pk>/remove", webauthn.remove_webauthn, "mfa_remove_webauthn"),
    _page("authenticator-app", totp.activate_totp, "mfa_activate_totp"),
    _page("authenticator-app/remove", totp.deactivate_totp, "mfa_deactivate_totp"),
    _page("recovery-codes", recovery_codes.view_recovery_codes, "mfa_view_recovery_codes"),
    _page("recovery-codes/new", recovery_codes.generate_recovery_codes, "mfa_generate_recovery_codes"),
    _page("recovery-codes/file", recovery_codes.download_recovery_codes, "mfa_download_recovery_codes"),
    _page("sessions", views.SessionsPage.as_view(), "usersessions_list"),
    path("account/sessions/<int:session_id>/end", views.end_session, name="end_session"),
    path("account/sign-in/with/<slug:provider_id>", provider_views.start, name="start_sign_in"),
    # The names by which allauth finds the addresses that providers lead back to.
    path(
        "account/sign-in/with/github/callback",
        provider_views.callback,
        {"provider_id": "github"},
        name="github_callback",
    ),
    path(
        "account/sign-in/with/google/callback",
        provider_views.callback,
        {"provider_id": "google"},
        name="google_callback",
    ),
    path("account/sign-in/with/<slug:provider_id>/callback", provider_views.callback, name="openid_connect_callback"),
    path("account/sign-in/canceled", provider_views.canceled, name="socialaccount_login_cancelled"),
    _page("sign-up/email", social.signup, "socialaccount_signup"),
    path(
        "account/sign-ins",
        provider_views.offers_providers(provider_views.connections),
        name="socialaccount_connections",
    ),
    path("account/sign-ins/<int:pk>/remove", provider_views.disconnect, name="remove_sign_in"),
    path("account/proof", views.prove, name="prove"),
    path("setup/account", first_admin.first_admin, name="first_admin"),
    path("setup/link/<str:token>", first_admin.open_link, name="first_admin_link"),
    # Password managers open this URL (W3C, A Well-Known URL for Changing Passwords).
    path(".well-known/change-password", RedirectView.as_view(pattern_name="account_change_password")),
]
