"""What site admins do to an installation, and who its owners are: calls for tests.faults.console."""

from datetime import timedelta
from typing import Any

from django.test import Client

from apps.accounts.models import User
from apps.core.api.scopes import OWNER_SCOPES, Scope
from apps.events.recording import Subject, event_of, record_all
from apps.launches.models import LaunchWeek
from apps.listings.models import Listing
from apps.orders.models import Product, PromoCode
from apps.orders.payments import recover as recovery
from apps.sites.models import Site
from tests.factories import CompanyFactory, ListingFactory, UserFactory, api_key


def make_owner(*, name: str, listings: int, live: bool = False) -> dict[str, Any]:
    """An account with an API key and so many listings, in status draft or on this week's board."""
    user = UserFactory.create(email=f"{name}@example.com", name=name, password=None)
    made = []
    for index in range(listings):
        words = f"{name}-{index}"
        website = f"{words}.example.com"
        company = CompanyFactory.create(owner=user, name=words, website=f"https://{website}", website_key=website)
        made.append(ListingFactory.create(company=company, slug=words, headline=f"Headline of {words}", live=live).pk)
    return {"account_id": user.pk, "key": api_key(user), "listing_ids": made}


def make_voters(*, name: str, count: int) -> list[tuple[int, str]]:
    """People in browsers: their accounts with the keys of their sessions."""
    made = []
    for index in range(count):
        user = UserFactory.create(email=f"{name}-{index}@example.com", password=None)
        browser = Client()
        browser.force_login(user)
        made.append((user.pk, browser.session.session_key or ""))
    return made


def make_key(*, account_id: int, is_full: bool = False) -> str:
    """One more API key of the account, on request with every scope; returns the secret."""
    return api_key(User.objects.get(pk=account_id), Scope if is_full else OWNER_SCOPES)


def make_events(*, account_id: int, count: int) -> None:
    """So many events of an account, each about an object of its own."""
    site = _site()
    for first in range(0, count, 10_000):
        pks = range(first, min(first + 10_000, count))
        record_all(event_of("listing.live", Subject("listing", pk, account_id, site.pk)) for pk in pks)


def delete_listing(*, listing_id: int) -> None:
    Listing.objects.get(pk=listing_id).delete()


def change_product(*, product: str, **fields: Any) -> None:
    assert Product.objects.filter(site=_site(), name=product).update(**fields) == 1


def make_promo(**fields: Any) -> None:
    PromoCode.objects.create(site=_site(), **fields)


def change_promo(*, code: str, **fields: Any) -> None:
    assert PromoCode.objects.filter(site=_site(), code=code).update(**fields) == 1


def make_room(*, paid_places: int) -> None:
    """Let so many paid launches into each week, and owners do as much as they like."""
    LaunchWeek.objects.filter(site=_site()).update(paid_places=paid_places)
    Site.objects.filter(is_default=True).update(
        paid_places_per_week=paid_places, updates_per_day=paid_places, drafts_per_hour=paid_places
    )


def recover() -> None:
    """Recover now, and not only when the schedule says so: payments that have just begun, too."""
    recovery.SETTLES_IN = timedelta(0)
    recovery.recover_orders()


def _site() -> Site:
    return Site.objects.get(is_default=True)
