from django.urls import path, re_path
from django.views.generic import RedirectView

from apps.core.web import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("robots.txt", views.robots, name="robots"),
    path("about/crawler", views.crawler, name="crawler"),
    path("favicon.ico", RedirectView.as_view(url="/static/favicon.svg", permanent=True)),
]
api_urlpatterns = [
    path("openapi.json", views.openapi, name="openapi"),
]
api_fallback = [re_path(r"^api(?:/.*)?$", views.api_not_found)]
