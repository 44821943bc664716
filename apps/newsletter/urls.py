from django.urls import path

from apps.core.email.unsubscribe import unsubscribe
from apps.newsletter import views

urlpatterns = [
    path("newsletter", views.newsletter, name="newsletter"),
    path("newsletter/subscribe", views.subscribe, name="newsletter_subscribe"),
    path(
        "newsletter/unsubscribe/<str:token>",
        unsubscribe,
        {"page": views.UNSUBSCRIBE_PAGE},
        name="newsletter_unsubscribe",
    ),
    path("newsletter/<str:week>", views.past_newsletter, name="past_newsletter"),
]
