from django.urls import path

from apps.core.email.unsubscribe import unsubscribe
from apps.newsletter import views

urlpatterns = [
    path("newsletter", views.newsletter, name="newsletter"),
    path("newsletter/subscribe", views.subscribe, name="newsletter_subscribe"),
    path("newsletter/subscribe-email", views.subscribe_email, name="newsletter_subscribe_email"),
    path(
        "newsletter/unsubscribe/<str:token>",
        unsubscribe,
        {"page": views.UNSUBSCRIBE_PAGE},
        name="newsletter_unsubscribe",
    ),
    path(
        "newsletter/unsubscribe-email/<str:token>",
        unsubscribe,
        {"page": views.UNSUBSCRIBE_EMAIL_PAGE},
        name="newsletter_unsubscribe_email",
    ),
    path("newsletter/confirm/<str:token>", views.confirm, name="newsletter_confirm"),
    path("newsletter/<str:week>", views.past_newsletter, name="past_newsletter"),
]
