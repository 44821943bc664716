from django.urls import path

from apps.sites.reference import views

urlpatterns = [
    path("", views.index, name="api_reference"),
    path("/<slug:name>", views.operation, name="api_operation"),
]
