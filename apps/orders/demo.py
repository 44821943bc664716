"""Demo data of orders: what each site sells, who sells it, a promo code to try, and what was bought so far."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from apps.core.demo import Demo, read_demo_data
from apps.core.text.weeks import Week
from apps.listings.models import Listing
from apps.orders.checkout.create import ORDER_LIFETIME, new_number, new_secret, total_columns, vat_columns
from apps.orders.checkout.quote import price_items
from apps.orders.models import (
    Order,
    OrderLine,
    Payment,
    Placement,
    Product,
    PromoCode,
    SellerSettings,
    TermsOfSale,
)
from apps.orders.products.catalog import seed_products, seed_vat_rates
from apps.orders.tax import vat
from apps.sites.demo import DEFAULT
from apps.sites.models import Site

PROMO_CODE = "WELCOME-20"
TERMS = """Example terms for this demo.
Replace them in the admin under Terms of sale before you sell.

Prices are in US dollars and exclude VAT, which is added at checkout.

Purchases are delivered after payment, or in the weeks you chose.

If we can't deliver a purchase, we refund it to your payment method."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoOrder:
    """What the owner of a listing of the first site bought and paid; an entry of demo_data/orders.yaml."""

    company: str
    product: str
    days_ago: int
    weeks: Sequence[int] = ()
    categories: Sequence[str] = ()


def seed(demo: Demo) -> None:
    """Create products, a VAT-registered seller, terms and a 20% promo code on every site, and orders on the first."""
    seed_vat_rates()
    for site in Site.objects.all():
        seed_products(site)
        SellerSettings.objects.get_or_create(
            site=site,
            defaults={
                "legal_name": f"{site.name} (demo)",
                "address": "1 Example Street\n10111 Tallinn",
                "country": "EE",
                "vat_number": "EE123456780",
                "is_vat_registered": True,
            },
        )
        TermsOfSale.objects.get_or_create(site=site, defaults={"text": TERMS})
        PromoCode.objects.get_or_create(
            site=site, code=PROMO_CODE, defaults={"percent_off": 2000, "max_uses_per_account": None}
        )
    _make_orders(demo)


def _make_orders(demo: Demo) -> None:
    site = demo.get(Site, DEFAULT)
    products = {product.name: product for product in Product.objects.filter(site=site)}
    for entry in read_demo_data("apps.orders", "orders"):
        bought = DemoOrder(**entry)
        _make_order(demo, bought, site=site, product=products[bought.product])


def _make_order(demo: Demo, bought: DemoOrder, *, site: Site, product: Product) -> None:
    """Write a paid and delivered order, as the checkout and the test payment would have left it."""
    listing = demo.get(Listing, f"{DEFAULT}/{bought.company}")
    buyer, company = listing.company.owner, listing.company
    paid_at = demo.now - timedelta(days=bought.days_ago, minutes=demo.random.randint(5, 600))
    quantity = len(bought.weeks) or 1
    seller = vat.seller_of(site)
    # Buyers without a VAT number pay the VAT of the seller's country in the EU, and none elsewhere.
    decision = vat.decide(seller=seller, country=company.country, postal_code="", check=None, on=paid_at.date())
    totals = price_items([(product.name, product.price_cents * quantity)], terms=None, vat_rate=decision.rate)
    order = Order.objects.create(
        site=site,
        account=buyer,
        number=new_number(),
        secret=new_secret(),
        status=Order.Status.PAID,
        country=company.country,
        billing={"name": buyer.name, "company": company.name, "address": "1 Example Street", "city": company.city},
        seller=asdict(seller),
        created_at=paid_at - timedelta(minutes=4),
        expires_at=paid_at + ORDER_LIFETIME,
        paid_at=paid_at,
        **vat_columns(decision, None),
        **total_columns(totals),
    )
    Payment.objects.create(
        order=order,
        attempt=1,
        provider="test",
        reference=f"test_demo_{order.number}",
        status=Payment.Status.PAID,
        amount_cents=order.total_cents,
        is_test=True,
        return_url=order.page_url,
        created_at=paid_at,
        settled_at=paid_at,
    )
    weeks = [str(Week.of(demo.now) + offset) for offset in bought.weeks]
    options: dict[str, Any] = {"weeks": weeks} if weeks else {}
    if product.name == "launch" and listing.launch_week:
        options = {"week": listing.launch_week}
    if bought.categories:
        options["categories"] = list(bought.categories)
    line = OrderLine.objects.create(
        order=order,
        position=1,
        product=product.name,
        title=product.title,
        description=product.description,
        unlocks=product.unlocks,
        listing=listing,
        listing_name=company.name,
        has_listing=True,
        options=options,
        quantity=quantity,
        unit_price_cents=product.price_cents,
        status=OrderLine.Status.FULFILLED,
        fulfilled_at=paid_at + timedelta(seconds=3),
        **asdict(totals.lines[0]),
    )
    _deliver(line, listing=listing, weeks=weeks, categories=bought.categories)


def _deliver(line: OrderLine, *, listing: Listing, weeks: Sequence[str], categories: Sequence[str]) -> None:
    Placement.objects.bulk_create(
        [
            Placement(
                line=line,
                site=listing.site,
                product=line.product,
                listing=listing,
                week=week,
                categories=list(categories),
                amount_cents=line.unit_price_cents,
            )
            for week in weeks
        ]
    )
    if line.unlocks and line.product != "launch":
        listing.unlocked_sections = sorted({*listing.unlocked_sections, *line.unlocks})
        listing.save(update_fields=["unlocked_sections"])
