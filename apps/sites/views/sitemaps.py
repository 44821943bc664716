"""A site's own pages in the sitemap."""

from contextlib import suppress

from django.urls import NoReverseMatch, reverse

from apps.sites import guide
from apps.sites.models import SitePage
from apps.sites.seo.sitemaps import Address, Section

# Pages whose words change with the software only, so that nobody knows a day.
_PAGES = (
    "weeks",
    "pricing",
    "search",
    "ranking",
    "ledgers",
    "connect",
    "api_reference",
    "crawler",
)


class PageSection(Section):
    """The pages that are there from the start, the ones that a team writes, and the reference."""

    def addresses(self) -> list[Address]:
        found = []
        for name in _PAGES:
            with suppress(NoReverseMatch):
                found.append(Address(reverse(name)))
        found += [Address(reverse("api_operation", args=[name])) for name in guide.operations()]
        written = dict(SitePage.objects.filter(site=self.site).values_list("kind", "updated_at"))
        kinds = [kind for kind in SitePage.Kind if kind != SitePage.Kind.IMPRINT or kind in written]
        return found + [Address(reverse(kind.value), written.get(kind)) for kind in kinds]
