from django.urls import path, re_path

from apps.core import pages

urlpatterns = [
    path("healthz", pages.healthz, name="healthz"),
    path("readyz", pages.readyz, name="readyz"),
]
api_urlpatterns = [
    path("openapi.json", pages.openapi, name="openapi"),
]
api_fallback = [re_path(r"^api(?:/.*)?$", pages.api_not_found)]
