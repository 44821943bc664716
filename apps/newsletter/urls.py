from django.urls import path

from apps.newsletter import views

urlpatterns = [
    path("newsletter", views.newsletter, name="newsletter"),
    path("newsletter/subscribe", views.subscribe, name="newsletter_subscribe"),
    path("newsletter/unsubscribe/<str:token>", views.unsubscribe, name="newsletter_unsubscribe"),
    path("newsletter/<str:week>", views.past_newsletter, name="past_newsletter"),
]
