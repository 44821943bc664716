from django.urls import path

from apps.sites.reference import pages

urlpatterns = [
    path("", pages.index, name="api_reference"),
    path("/try", pages.try_calls, name="api_try"),
    path("/<slug:name>", pages.operation, name="api_operation"),
]
