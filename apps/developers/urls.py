from django.urls import path

from apps.developers import design, email_previews

urlpatterns = [
    path("about/design", design.design, name="design"),
    path("about/design/emails", email_previews.email_previews, name="email_previews"),
    path("about/design/emails/<slug:key>.html", email_previews.email_html, name="email_html"),
    path("about/design/emails/<slug:key>.txt", email_previews.email_text, name="email_text"),
]
