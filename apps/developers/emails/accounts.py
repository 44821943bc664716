"""Sample emails about accounts: signing in, security, API keys and the founder profile."""

from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from django.urls import reverse

from apps.accounts.models import ApiKey
from apps.developers.emails import MOMENT, Sample
from apps.sites.models import Site

_ACCOUNT = (
    "email_confirmation",
    "password_reset_code",
    "reauthentication_code",
    "account_already_exists",
    "unknown_account",
    "email_changed",
    "password_changed",
    "password_reset",
    "password_set",
    "second_factors_removed",
)
_SECOND_FACTORS = (
    "recovery_codes_generated",
    "totp_activated",
    "totp_deactivated",
    "webauthn_added",
    "webauthn_removed",
)


def email_samples(site: Site) -> Iterator[Sample]:
    """Return one of each email this app sends."""
    about = _about(site)
    for name in _ACCOUNT:
        yield Sample(name=f"account/email/{name}", context=about, ending="_message")
    for name in _SECOND_FACTORS:
        yield Sample(name=f"mfa/email/{name}", context=about, ending="_message")
    for name in ("account_connected", "account_disconnected"):
        provider = {"provider": SimpleNamespace(name="GitHub")}
        yield Sample(name=f"socialaccount/email/{name}", context=about | provider, ending="_message")
    key = ApiKey(name="Release robot", prefix="slk_7fQ2", expires_at=MOMENT + timedelta(days=6))
    used = ApiKey(name=key.name, prefix=key.prefix, expires_at=key.expires_at, last_used_at=MOMENT)
    keys_url = site.url(reverse("api_keys"))
    yield Sample(name="accounts/emails/key_expires", context={"key": used, "keys_url": keys_url})
    yield Sample(name="accounts/emails/key_expires", context={"key": key, "keys_url": keys_url}, variant="unused")
    for part in ("photo", "texts"):
        context = {
            "reason": "It shows another person.",
            "profile_url": site.url(reverse("profile")),
            "appeal_url": site.url(reverse("appeal", args=[1])),
        }
        yield Sample(name=f"accounts/emails/{part}_taken", context=context)
    data_url = site.url(reverse("own_data"))
    yield Sample(name="accounts/emails/data_ready", context={"expires_at": MOMENT, "data_url": data_url})
    yield Sample(name="accounts/emails/deletion_scheduled", context={"due_at": MOMENT, "data_url": data_url})
    yield Sample(name="accounts/emails/deletion_canceled", context={"data_url": data_url})
    yield Sample(name="accounts/emails/account_deleted", context={})


def _about(site: Site) -> dict[str, Any]:
    """Return what the sign-in adapter passes to every email."""
    return {
        "code": "K7QX-2MRP",
        "email": "ada@example.com",
        "from_email": "ada@example.com",
        "to_email": "ada@example.org",
        "user": SimpleNamespace(email="ada@example.com"),
        "user_agent": "Firefox on Linux",
        "ip": "192.0.2.7",
        "timestamp": MOMENT,
        "sign_in_url": site.url(reverse("account_login")),
        "sign_up_url": site.url(reverse("account_signup")),
        "reset_url": site.url(reverse("account_reset_password")),
        "security_url": site.url(reverse("mfa_index")),
        "sessions_url": site.url(reverse("usersessions_list")),
    }
