"""Who does something in the tests of orders."""

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.orders.models import SellerSettings
from apps.sites.models import Site


def by_owner(user: User) -> Actor:
    """The buyer, in the browser."""
    return Actor(user=user, via="browser")


def by_staff(user: User) -> Actor:
    """A site admin, in the admin."""
    return Actor(user=user, via="admin")


def make_seller(site: Site) -> SellerSettings:
    """A seller in Estonia that is registered for VAT."""
    return SellerSettings.objects.create(
        site=site,
        legal_name="Example OÜ",
        address="1 Example Street\n10111 Tallinn",
        country="EE",
        vat_number="EE123456780",
        is_vat_registered=True,
    )
