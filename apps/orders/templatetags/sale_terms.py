"""The terms of sale for the pages of the apps below, which do not know of sales."""

from django import template

from apps.orders.checkout.terms_of_sale import latest_terms
from apps.sites.models import Site

register = template.Library()


@register.simple_tag
def has_sale_terms(site: Site) -> bool:
    """Whether a site has published terms of sale. One query."""
    return latest_terms(site) is not None
