"""The sections of each site's sitemap, each filled by the app with those pages."""

from apps.launches.views.sitemaps import BoardSection, CategorySection, CompareSection
from apps.listings.views.sitemaps import ListingSection, UpdateSection
from apps.orders.views.sitemaps import SaleSection
from apps.sites.seo.sitemaps import Section
from apps.sites.views.sitemaps import PageSection
from apps.stories.views.sitemaps import FounderSection, StorySection

SECTIONS: dict[str, type[Section]] = {
    "pages": PageSection,
    "boards": BoardSection,
    "categories": CategorySection,
    "listings": ListingSection,
    "comparisons": CompareSection,
    "updates": UpdateSection,
    "stories": StorySection,
    "founders": FounderSection,
    "sales": SaleSection,
}
