"""All URLs: each app's pages, the API under /api/v1, the admin."""

from importlib import import_module

from django.apps import apps
from django.contrib import admin
from django.urls import include, path

from apps.accounts import urls as accounts
from apps.analytics import urls as analytics
from apps.comments import urls as comments
from apps.core import urls as core
from apps.curation import urls as curation
from apps.directory import urls as directory
from apps.drafts import urls as drafts
from apps.events import urls as events
from apps.launches import urls as launches
from apps.listings import urls as listings
from apps.moderation import urls as moderation
from apps.newsletter import urls as newsletter
from apps.notifications import urls as notifications
from apps.orders import urls as orders
from apps.reviews import urls as reviews
from apps.sites import urls as sites
from apps.sites.seo.sitemaps import sitemap_index, sitemap_section
from apps.stories import urls as stories
from apps.webhooks import urls as webhooks

api = [
    *core.api_urlpatterns,
    *accounts.api_urlpatterns,
    *listings.api_urlpatterns,
    *comments.api_urlpatterns,
    *reviews.api_urlpatterns,
    *launches.api_urlpatterns,
    *analytics.api_urlpatterns,
    *drafts.api_urlpatterns,
    *orders.api_urlpatterns,
    *stories.api_urlpatterns,
    *events.api_urlpatterns,
    *webhooks.api_urlpatterns,
]
urlpatterns = [
    path("api/v1/", include(api)),
    *core.api_fallback,
    path("admin/", admin.site.urls),
    path("sitemap.xml", sitemap_index, name="sitemap"),
    path("sitemap-<slug:section>.xml", sitemap_section, name="sitemap_section"),
    *core.urlpatterns,
    # Before the reference of operations, which it adds a page to.
    *webhooks.urlpatterns,
    *sites.urlpatterns,
    *accounts.urlpatterns,
    *drafts.urlpatterns,
    *orders.urlpatterns,
    *newsletter.urlpatterns,
    *notifications.urlpatterns,
    *stories.urlpatterns,
    *directory.urlpatterns,
    *launches.urlpatterns,
    *analytics.urlpatterns,
    *curation.urlpatterns,
    *comments.urlpatterns,
    *reviews.urlpatterns,
    *listings.urlpatterns,
    *moderation.urlpatterns,
]
if apps.is_installed("apps.developers"):
    urlpatterns += import_module("apps.developers.urls").urlpatterns

handler400 = "apps.core.web.error_pages.bad_request"
handler403 = "apps.core.web.error_pages.forbidden"
handler404 = "apps.core.web.error_pages.not_found"
# allauth's name for the response of its rate limits.
handler429 = "apps.core.web.error_pages.too_many_requests"
handler500 = "apps.core.web.error_pages.server_error"
