"""Prices for pages of the apps below, which don't know about orders."""

from django import template

from apps.orders.models import Product
from apps.orders.models.catalog import LAUNCH
from apps.orders.products.amount import price_text
from apps.sites.models import Site

register = template.Library()


@register.simple_tag
def launch_price(site: Site) -> str:
    """Return the price of a paid launch, such as `$99`. Empty if none is sold. One query."""
    launch = Product.objects.on_sale(site).filter(name=LAUNCH).first()
    return price_text(launch) if launch else ""
