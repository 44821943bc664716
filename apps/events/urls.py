from django.urls import path

from apps.events.api import EventViewSet

api_urlpatterns = [
    path("events", EventViewSet.as_view({"get": "list_events"})),
]
