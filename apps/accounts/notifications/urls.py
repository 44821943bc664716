"""URLs of email settings and of unsubscribing by link."""

from django.urls import path

from apps.accounts.notifications import views
from apps.core.email.unsubscribe import unsubscribe

urlpatterns = [
    path("account/notifications", views.notifications, name="notifications"),
    path("unsubscribe/mails/<str:token>", unsubscribe, {"page": views.UNSUBSCRIBE_PAGE}, name="stop_emails"),
]
