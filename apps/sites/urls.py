from django.urls import include, path, re_path

from apps.sites.seo import site_preview
from apps.sites.views import brand, connect, discovery, legal, setup

urlpatterns = [
    path("favicon.ico", brand.favicon),
    path("brand/<slug:color>.css", brand.brand_css, name="brand_css"),
    re_path(r"^brand/([0-9a-f]{32})/(\d{2,3}\.(?:webp|jpg|png))\Z", brand.brand_picture, name="brand_picture"),
    path("setup", setup.setup, name="setup"),
    path("setup/finish", setup.finish_setup, name="finish_setup"),
    path("preview.png", site_preview.site_image, name="site_image"),
    path("connect", connect.connect, name="connect"),
    path("terms", legal.site_page, {"kind": "terms"}, name="terms"),
    path("privacy", legal.site_page, {"kind": "privacy"}, name="privacy"),
    path("imprint", legal.site_page, {"kind": "imprint"}, name="imprint"),
    path("reference", include("apps.sites.reference.urls")),
    path("llms.txt", connect.llms_txt, name="llms_txt"),
    path("mcp/server-card", discovery.server_card, name="server_card"),
    path(".well-known/ard.json", discovery.ai_catalog, name="ard"),
    path(".well-known/ai-catalog.json", discovery.ai_catalog, name="ai_catalog"),
    path(".well-known/security.txt", discovery.security_txt, name="security_txt"),
    path("indexnow.txt", discovery.indexnow_key, name="indexnow_key"),
    path(".well-known/api-catalog", connect.api_catalog, name="api_catalog"),
]
