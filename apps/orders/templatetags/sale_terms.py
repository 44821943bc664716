"""The terms of sale for pages of the apps below, which don't know about sales."""

from django import template

from apps.orders.checkout.terms_of_sale import latest_terms
from apps.sites.models import Site

register = template.Library()


@register.simple_tag
def has_sale_terms(site: Site) -> bool:
    """Return whether a site has published terms of sale. One query."""
    return latest_terms(site) is not None
