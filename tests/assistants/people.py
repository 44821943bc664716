"""The accounts that assistants work for: calls for tests.faults.console."""

from typing import Any

from django.utils import timezone

from apps.accounts.models import User
from apps.core.text.weeks import Week
from apps.listings.models import Listing
from tests.factories import CompanyFactory, ListingFactory, UserFactory, api_key, complete_profile
from tests.faults.team import make_promo, make_room


def make_owner(*, name: str) -> dict[str, Any]:
    """An account with a complete profile, and a listing of each kind: live, scheduled and not launched."""
    user = UserFactory.create(email=f"{name}@example.com", name=name, password=None)
    complete_profile(user)
    now = timezone.now()
    kinds: dict[str, dict[str, Any]] = {
        "Live": {"live": True, "plan": Listing.Plan.PAID},
        "Waiting": {"status": "scheduled", "plan": "paid", "launch_week": str(Week.of(now) + 3), "submitted_at": now},
        "New": {"submitted_at": now},
    }
    listings = {kind: _listing(user, f"{kind} {name}", **fields).pk for kind, fields in kinds.items()}
    return {"name": name, "key": api_key(user), "listings": listings}


def make_bait(*, promo_code: str, secret: str) -> None:
    """A promo code that guesses find, somebody's unpublished listing of this name, and room for everybody."""
    make_room(paid_places=20_000)
    make_promo(code=promo_code, percent_off=50, max_uses_per_account=None)
    _listing(UserFactory.create(email="stranger@example.com", password=None), secret)


def _listing(user: User, name: str, **fields: Any) -> Listing:
    words = name.lower().replace(" ", "-")
    website = f"{words}.example.com"
    company = CompanyFactory.create(owner=user, name=name, website=f"https://{website}", website_key=website)
    made: Listing = ListingFactory.create(company=company, slug=words, headline=f"Headline of {name}", **fields)
    return made
