"""Addresses of the founder profile and of founders' photos."""

from django.urls import path, re_path

from apps.accounts.founders import pages
from apps.accounts.founders.photos import KINDS, SIZES

_FILE = rf"({'|'.join(map(str, SIZES))})\.({'|'.join(KINDS)})"

urlpatterns = [
    path("account/profile", pages.profile, name="profile"),
    path("account/profile/photo", pages.upload_photo, name="upload_photo"),
    path("account/profile/photo/remove", pages.remove_photo, name="remove_photo"),
    re_path(rf"^founders/photos/([0-9a-f]{{32}})/{_FILE}\Z", pages.photo, name="founder_photo"),
]
