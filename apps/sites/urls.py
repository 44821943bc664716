from django.urls import include, path

from apps.sites.seo import site_preview
from apps.sites.views import connect, design, email_previews, legal

urlpatterns = [
    path("preview.png", site_preview.site_image, name="site_image"),
    path("connect", connect.connect, name="connect"),
    path("terms", legal.site_page, {"kind": "terms"}, name="terms"),
    path("privacy", legal.site_page, {"kind": "privacy"}, name="privacy"),
    path("imprint", legal.site_page, {"kind": "imprint"}, name="imprint"),
    path("reference", include("apps.sites.reference.urls")),
    path("about/design", design.design, name="design"),
    path("about/design/emails", email_previews.email_previews, name="email_previews"),
    path("about/design/emails/<slug:key>.html", email_previews.email_html, name="email_html"),
    path("about/design/emails/<slug:key>.txt", email_previews.email_text, name="email_text"),
    path("llms.txt", connect.llms_txt, name="llms_txt"),
    path(".well-known/api-catalog", connect.api_catalog, name="api_catalog"),
]
