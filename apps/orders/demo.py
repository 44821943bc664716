"""Demo data of orders: what each site sells, who sells it, and a promo code to try."""

from apps.core.demo import Demo
from apps.orders.models import PromoCode, SellerSettings, TermsOfSale
from apps.orders.products.catalogue import seed_products, seed_vat_rates
from apps.sites.models import Site

PROMO_CODE = "WELCOME-20"
TERMS = """Example terms for this demo.
Replace them in the admin under Terms of sale before you sell.

Prices are in US dollars and exclude VAT, which is added at checkout.

Purchases are delivered after payment, or in the weeks you chose.

If we can't deliver a purchase, we refund it to your payment method."""


def seed(demo: Demo) -> None:
    """Products, a seller registered for VAT, terms and a code of 20 % on every site."""
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
