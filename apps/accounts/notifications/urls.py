"""URLs for unsubscribing by link."""

from django.urls import path

from apps.accounts.notifications import views
from apps.core.email.unsubscribe import unsubscribe

urlpatterns = [
    path("unsubscribe/emails/<str:token>", unsubscribe, {"page": views.UNSUBSCRIBE_PAGE}, name="stop_emails"),
]
