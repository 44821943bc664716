from django.urls import path

from apps.sites import pages

urlpatterns = [
    path("connect", pages.connect, name="connect"),
    path("llms.txt", pages.llms_txt, name="llms_txt"),
    path(".well-known/api-catalog", pages.api_catalog, name="api_catalog"),
]
