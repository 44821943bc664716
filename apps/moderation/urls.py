from django.urls import path

from apps.moderation import views

urlpatterns = [
    path("report/<slug:kind>/<int:object_id>", views.report, name="report"),
    path("account/decisions", views.own_decisions, name="own_decisions"),
    path("account/decisions/<int:decision_id>/appeal", views.appeal, name="appeal"),
]
