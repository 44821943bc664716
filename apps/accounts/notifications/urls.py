"""Addresses of the choice of mails, and of stopping a kind by the address in a mail."""

from django.urls import path

from apps.accounts.notifications import pages

urlpatterns = [
    path("account/notifications", pages.notifications, name="notifications"),
    path("unsubscribe/mails/<str:token>", pages.stop_mails, name="stop_mails"),
]
