"""Checks for sellers and VAT rates, so that admins can't break past sales."""

import re
from datetime import timedelta

from django.db.models import Q

from apps.orders.models import Invoice, Order, VatRate
from apps.sites.models import Site

# Orders keep a rate as long as they can be paid: one from the evening before may need the new day's rate.
_ORDERS_LAST = timedelta(days=2)
# Room for the prefixes of test orders, which add these letters.
_TELLING_LETTERS = 10


def own_prefix(site: Site, chosen: str) -> str:
    """Return the prefix of a site's invoice numbers: the seller's choice, or the site's key in capitals."""
    return (chosen or re.sub(r"[^A-Z0-9]", "", site.key.upper()))[:_TELLING_LETTERS]


def prefix_problem(*, site: Site, chosen: str) -> str:
    """Return why a site's invoices can't have this prefix (empty for its key's), as a sentence, or an empty string."""
    prefix = own_prefix(site, chosen)
    if not prefix:
        return "Choose a prefix. The site's key has no letters to start invoice numbers with."
    if prefix.startswith("TEST"):
        return "TEST is reserved for test orders."
    for other in Site.objects.exclude(pk=site.pk).select_related("seller"):
        seller = getattr(other, "seller", None)
        if own_prefix(other, seller.invoice_prefix if seller else "") == prefix:
            return f"{other} uses these letters. Each site needs different first letters."
    issued = Invoice.objects.filter(number__startswith=f"{chosen or prefix}-").exclude(order__site=site.pk or 0)
    return "Another site has issued invoices with this prefix." if issued.exists() else ""


def is_used(rate: VatRate) -> bool:
    """Return whether orders were priced with this row, as far as place, rate and days tell."""
    following = VatRate.objects.filter(country=rate.country, from_date__gt=rate.from_date).order_by("from_date").first()
    priced = Order.objects.filter(vat_rate=rate.rate, created_at__date__gte=rate.from_date - _ORDERS_LAST)
    if following:
        priced = priced.filter(created_at__date__lt=following.from_date)
    return priced.filter(Q(vat_place=rate.country) | Q(vat_place="", country=rate.country)).exists()
