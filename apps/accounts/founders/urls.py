"""URLs of the founder profile and founders' photos."""

from django.urls import path, re_path

from apps.accounts.founders import views
from apps.accounts.founders.photos import SIZES
from apps.core.pictures.storage import KINDS

_FILE = rf"((?:{'|'.join(map(str, SIZES))})\.(?:{'|'.join(KINDS)}))"

urlpatterns = [
    path("account/profile", views.profile, name="profile"),
    path("account/profile/photo", views.upload_photo, name="upload_photo"),
    path("account/profile/photo/remove", views.remove_photo, name="remove_photo"),
    re_path(rf"^founders/photos/([0-9a-f]{{32}})/{_FILE}\Z", views.photo, name="founder_photo"),
]
