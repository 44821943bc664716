"""People at a running installation, and what they have: calls for tests.faults.console."""

import secrets
from functools import cache
from typing import Any

from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone

from apps.accounts.founders.services import set_photo
from apps.accounts.models import User
from apps.listings.models import Listing
from apps.sites.models import Site
from tests.factories import PASSWORD, CompanyFactory, ListingFactory, UserFactory, api_key, complete_profile
from tests.pictures import picture


def make_account(*, name: str) -> dict[str, Any]:
    """An account with an API key, and with the session of a browser where it is signed in."""
    user = UserFactory.create(email=f"{name}@example.com", name=name, password=None)
    User.objects.filter(pk=user.pk).update(password=_password())
    return {
        "account_id": user.pk,
        "email": user.email,
        "password": PASSWORD,
        "session": make_session(email=user.email),
        "key": api_key(user),
    }


def make_session(*, email: str) -> str:
    """The key of a session of this account."""
    browser = Client()
    browser.force_login(User.objects.get(email=email))
    return str(browser.session.session_key)


def make_profile(*, account_id: int) -> None:
    """Complete the account's founder profile, with a photo."""
    user = User.objects.get(pk=account_id)
    complete_profile(user)
    set_photo(user=user, data=picture(size=(600, 400)), site=Site.objects.get(is_default=True))


def make_listing(*, account_id: int) -> int:
    """Launch a product of the account this week. It takes none of the places that are sold: it launched for free, and
    was upgraded.
    """
    name = f"product-{secrets.token_hex(4)}"
    website = f"{name}.example.com"
    owner = User.objects.get(pk=account_id)
    company = CompanyFactory.create(owner=owner, name=name, website=f"https://{website}", website_key=website)
    made: Listing = ListingFactory.create(
        company=company, slug=name, live=True, plan=Listing.Plan.PAID, upgraded_at=timezone.now()
    )
    return int(made.pk)


@cache
def _password() -> str:
    # Hashing takes long, on purpose.
    return make_password(PASSWORD)
