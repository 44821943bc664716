from django.urls import path, re_path

from apps.core.pictures.storage import KINDS
from apps.core.pictures.views import picture
from apps.core.web import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("robots.txt", views.robots, name="robots"),
    path("about/crawler", views.crawler, name="crawler"),
    re_path(rf"^pictures/([0-9a-f]{{32}})/(\d{{2,4}}\.(?:{'|'.join(KINDS)}))\Z", picture, name="picture"),
]
api_urlpatterns = [
    path("openapi.json", views.OpenApi.as_view(), name="openapi"),
]
api_fallback = [re_path(r"^api(?:/.*)?$", views.api_not_found)]
