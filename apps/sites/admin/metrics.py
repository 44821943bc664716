"""Metrics about sites for the admin's dashboard."""

from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, QuerySet

from apps.core.admin.metrics import Need, register_needs
from apps.sites.models import Site, SitePage


def _without_pages(sites: QuerySet[Site]) -> QuerySet[Site]:
    pages = SitePage.objects.filter(site=OuterRef("pk"))
    lacks = [~Exists(pages.filter(kind=kind)) for kind in SitePage.Kind]
    return sites.filter(reduce(or_, lacks))


register_needs(
    Need(
        key="without_pages",
        title="Sites without terms, privacy or imprint",
        hint="Add them under Terms, privacy, imprint. Default texts are shown until then.",
        model=Site,
        rows=_without_pages,
        urgency="some day",
    ),
)
