from django.urls import path, re_path
from django.views.generic import RedirectView

from apps.core import pages

urlpatterns = [
    path("healthz", pages.healthz, name="healthz"),
    path("readyz", pages.readyz, name="readyz"),
    path("robots.txt", pages.robots, name="robots"),
    path("about/crawler", pages.crawler, name="crawler"),
    path("favicon.ico", RedirectView.as_view(url="/static/favicon.svg", permanent=True)),
]
api_urlpatterns = [
    path("openapi.json", pages.openapi, name="openapi"),
]
api_fallback = [re_path(r"^api(?:/.*)?$", pages.api_not_found)]
