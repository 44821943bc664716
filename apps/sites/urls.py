from django.urls import include, path

from apps.sites import design_page, legal_pages, mail_previews, pages, preview_images

urlpatterns = [
    path("preview.png", preview_images.site_image, name="site_image"),
    path("connect", pages.connect, name="connect"),
    path("terms", legal_pages.site_page, {"kind": "terms"}, name="terms"),
    path("privacy", legal_pages.site_page, {"kind": "privacy"}, name="privacy"),
    path("imprint", legal_pages.site_page, {"kind": "imprint"}, name="imprint"),
    path("reference", include("apps.sites.reference.urls")),
    path("about/design", design_page.design, name="design"),
    path("about/design/mails", mail_previews.mail_previews, name="mail_previews"),
    path("about/design/mails/<slug:key>.html", mail_previews.mail_html, name="mail_html"),
    path("about/design/mails/<slug:key>.txt", mail_previews.mail_text, name="mail_text"),
    path("llms.txt", pages.llms_txt, name="llms_txt"),
    path(".well-known/api-catalog", pages.api_catalog, name="api_catalog"),
]
