from django.urls import path

from apps.notifications import views

urlpatterns = [
    path("notifications", views.notifications, name="notifications"),
    path("notifications/read", views.mark_notifications_read, name="mark_notifications_read"),
    path("account/notifications", views.notification_settings, name="notification_settings"),
]
