"""Addresses of the choice of emails, and of stopping a kind by the address in an email."""

from django.urls import path

from apps.accounts.notifications import views

urlpatterns = [
    path("account/notifications", views.notifications, name="notifications"),
    path("unsubscribe/mails/<str:token>", views.stop_mails, name="stop_mails"),
]
