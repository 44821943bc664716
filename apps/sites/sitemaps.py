"""A site's own pages in the sitemap."""

from contextlib import suppress

from django.urls import NoReverseMatch, reverse

from apps.sites import guide
from apps.sites.models import SitePage
from apps.sites.seo.sitemaps import Address, Section

# Pages that only change with the software have no date.
_PAGES = (
    "weeks",
    "pricing",
    "search",
    "ranking",
    "ledgers",
    "transparency",
    "connect",
    "api_reference",
    "webhook_reference",
    "crawler",
)


class PageSection(Section):
    """Return the fixed pages, the operator's pages, and the API reference."""

    def addresses(self) -> list[Address]:
        result = []
        for name in _PAGES:
            with suppress(NoReverseMatch):
                result.append(Address(reverse(name)))
        result += [Address(reverse("api_operation", args=[name])) for name in guide.operations()]
        written = dict(SitePage.objects.filter(site=self.site).values_list("kind", "updated_at"))
        kinds = [kind for kind in SitePage.Kind if kind != SitePage.Kind.IMPRINT or kind in written]
        return result + [Address(reverse(kind.value), written.get(kind)) for kind in kinds]


SECTIONS = {"pages": PageSection}
