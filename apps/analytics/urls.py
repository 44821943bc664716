from django.urls import path

from apps.analytics import views
from apps.analytics.api import StatisticsViewSet

api_urlpatterns = [
    path("me/listings/<int:listing_id>/statistics", StatisticsViewSet.as_view({"get": "get_statistics"})),
]
urlpatterns = [
    path("listings/<slug:slug>/visit", views.visit, name="visit_listing"),
    path("listings/<slug:slug>/statistics", views.listing_statistics, name="listing_statistics"),
    path("listings/<slug:slug>/statistics.csv", views.days_csv, name="statistics_csv"),
    path("listings/<slug:slug>/referrers.csv", views.sources_csv, name="referrers_csv"),
]
