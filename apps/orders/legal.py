"""What a site's own terms lead to."""

from django.urls import reverse

from apps.orders.checkout.terms_of_sale import latest_terms
from apps.sites.models import Site


def further_terms(site: Site) -> str:
    """Return the path of the published terms of sale, or an empty text."""
    return reverse("terms_of_sale") if latest_terms(site) else ""
