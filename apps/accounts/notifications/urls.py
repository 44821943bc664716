"""Addresses of the choice of emails, and of stopping a kind by the address in an email."""

from django.urls import path

from apps.accounts.notifications import views
from apps.core.email.unsubscribe import unsubscribe

urlpatterns = [
    path("account/notifications", views.notifications, name="notifications"),
    path("unsubscribe/mails/<str:token>", unsubscribe, {"page": views.UNSUBSCRIBE_PAGE}, name="stop_emails"),
]
