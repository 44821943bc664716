"""Sign in with GitHub, Google or an OpenID Connect server: who may, and which of their data is stored."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.utils import user_email
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts.models import User
from apps.accounts.sign_in.claims import subject, used_claims
from apps.blocklists.sign_ups import why_not_sign_up
from apps.core.errors import Conflict

_NAME_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider that people can sign in with. `page_origin` is where its pages are."""

    id: str
    name: str
    page_origin: str

    @property
    def url(self) -> str:
        """Return the URL that starts signing in, with a POST."""
        return reverse("start_sign_in", args=[self.id])


def providers() -> list[Provider]:
    """Return the providers that are set up."""
    return [
        Provider(id=app.get("provider_id", kind), name=app["name"], page_origin=about["PAGE_ORIGIN"])
        for kind, about in settings.SOCIALACCOUNT_PROVIDERS.items()
        for app in about["APPS"]
    ]


def name_of(provider_id: str) -> str:
    """Return a provider's name, even if it is no longer set up."""
    return next((each.name for each in providers() if each.id == provider_id), provider_id.capitalize())


class ProviderAdapter(DefaultSocialAccountAdapter):
    """Match existing accounts by verified emails only, and store little of the providers' data."""

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: Mapping[str, Any]) -> User:
        """Fill in a new account, and reduce the stored data. The best email comes first."""
        user: User = super().populate_user(request, sociallogin, data)
        addresses = sociallogin.email_addresses
        for address in addresses:
            address.email = address.email.lower()
            # Some servers send it as text, and "false" would be true.
            address.verified = address.verified in {True, "true"}
        addresses.sort(key=lambda address: (not address.verified, not address.primary))
        user_email(user, addresses[0].email if addresses else "")
        name = data.get("name") or " ".join(filter(None, (data.get("first_name"), data.get("last_name"))))
        user.name = "".join(filter(str.isprintable, str(name)))[:_NAME_LENGTH]
        account = sociallogin.account
        claims = {}
        if sociallogin.provider.id == "openid_connect":
            extra_data = account.extra_data
            claims = used_claims(extra_data)
            # Another server under the same name may give its people the same identifiers.
            issuer = sociallogin.provider.app.settings["server_url"]
            account.uid = hashlib.sha256(f"{issuer}\n{subject(extra_data)}".encode()).hexdigest()
        account.extra_data = {"label": str(data.get("username") or user.email)[:_NAME_LENGTH], **claims}
        return user

    def authenticate_by_email(self, sociallogin: SocialLogin) -> tuple[User, str] | None:
        """Return the account whose current email the provider has verified.

        allauth would also match a new email that isn't confirmed yet.
        """
        for address in sociallogin.email_addresses:
            user = User.objects.filter(email=address.email).first() if address.verified else None
            if user is not None and not user.is_active:
                raise ImmediateHttpResponse(redirect("account_inactive"))
            if user is not None:
                return user, address.email
        return None

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Create an account with one email, as all accounts here have, unless the block list names it."""
        if problem := why_not_sign_up(request, user_email(sociallogin.user)):
            messages.error(request, problem)
            raise ImmediateHttpResponse(redirect("account_login"))
        del sociallogin.email_addresses[1:]
        try:
            with transaction.atomic():
                saved: User = super().save_user(request, sociallogin, form)
        except IntegrityError:
            # The same person was faster in another window.
            raise ImmediateHttpResponse(redirect("account_login")) from None
        return saved


def remove_provider(*, user: User, account: SocialAccount, request: HttpRequest) -> None:
    """Disconnect a provider from an account, and email its owner.

    Raises Conflict (409) if it is the only way to sign in.
    """
    if not has_other_way_in(user, account):
        raise Conflict("Set a password or add a passkey first. This is your only way to sign in.")
    name = name_of(account.provider)
    account.delete()
    get_account_adapter(request).send_notification_mail(
        "socialaccount/email/account_disconnected", user, {"provider": {"name": name}}
    )


def has_other_way_in(user: User, account: SocialAccount) -> bool:
    """Return whether a person can sign in without this provider."""
    if user.has_usable_password() or is_mfa_enabled(user, [Authenticator.Type.WEBAUTHN]):
        return True
    offered = [provider.id for provider in providers()]
    others = SocialAccount.objects.filter(user=user, provider__in=offered).exclude(pk=account.pk)
    return bool(others.exists())
