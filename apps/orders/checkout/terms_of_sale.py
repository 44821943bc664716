"""The terms of sale that a site shows, and the version that a buyer accepts."""

from apps.core.errors import Conflict
from apps.orders.models import TermsOfSale
from apps.sites.models import Site


class TermsChanged(Conflict):
    code = "terms_changed"
    title = "Terms changed"


def latest_terms(site: Site) -> TermsOfSale | None:
    """Return the current terms of a site. None when it has none."""
    return TermsOfSale.objects.filter(site=site).order_by("-published_at", "-id").first()


def accepted_terms(site: Site, *, shown: str) -> TermsOfSale | None:
    """Return the accepted terms, where `shown` is the version on the page. None when there are none.

    Raises TermsChanged (409) when others were published since the page was opened.
    """
    terms = latest_terms(site)
    if terms and str(terms.pk) != shown:
        raise TermsChanged("The terms changed since you opened this page. Read them, then pay.")
    return terms
