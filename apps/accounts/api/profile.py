"""The founder profile in the API."""

import re
from base64 import b64decode
from typing import Any

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import account_of
from apps.accounts.founders import services
from apps.accounts.founders.completeness import get_profile, profile_gaps
from apps.accounts.founders.photos import photo_url
from apps.accounts.founders.services import MAX_BIO, MAX_LINK, MAX_NAME, MAX_ROLE, has_page
from apps.accounts.models import FounderProfile, User
from apps.core.api.operation import operation
from apps.core.api.scopes import Scope
from apps.core.api.serializers import PlainTextField, StatedListField, StrictSerializer, StrictStringField
from apps.core.api.views import ApiViewSet
from apps.core.pictures.reading import FORMAT_NAMES, PictureRefused
from apps.core.request.client_ip import client_address
from apps.sites.models import Site
from apps.sites.requests import SiteField, SiteQuery, SiteRequest, named_site

TAG = "Account"
# Leaves room for the other fields.
_MAX_BASE64 = settings.MAX_JSON_PICTURE_BYTES - 40_000
# Accept URL-safe base64, line breaks and missing padding.
_USUAL_BASE64 = str.maketrans("-_", "+/", " \t\r\n=")
_DATA_URL = re.compile(r"data:[^,]{0,200}?;\s*base64\s*,", re.IGNORECASE)


class ProfileSerializer(serializers.Serializer[FounderProfile]):
    """The account's founder profile. Needs the site in the context."""

    real_name = serializers.CharField()
    role = serializers.CharField()
    bio = serializers.CharField()
    links = serializers.ListField(child=serializers.CharField())
    photo_url = serializers.SerializerMethodField(help_text="Empty without a photo.")
    page_url = serializers.SerializerMethodField(help_text="The public founder page. Empty without a live listing.")
    missing = serializers.SerializerMethodField(help_text="What a free launch on this site still needs.")

    @property
    def _site(self) -> Site:
        site: Site = self.context["site"]
        return site

    def get_photo_url(self, profile: FounderProfile) -> str:
        path = photo_url(profile, size=512, kind="jpg")
        return self._site.url(path) if path else ""

    def get_page_url(self, profile: FounderProfile) -> str:
        return self._site.url(reverse("founder", args=[profile.slug])) if has_page(profile, site=self._site) else ""

    def get_missing(self, profile: FounderProfile) -> list[dict[str, str]]:
        gaps = profile_gaps(profile, site=self._site)
        return [{"part": str(gap.part), "reason": gap.reason, "url": gap.url} for gap in gaps]


class UpdateProfileSerializer(StrictSerializer):
    """The fields to change. Omitted fields stay the same."""

    empty_clears = True

    real_name = PlainTextField(required=False, allow_blank=True, max_length=MAX_NAME)
    role = PlainTextField(required=False, allow_blank=True, max_length=MAX_ROLE, help_text="Such as founder.")
    bio = PlainTextField(required=False, allow_blank=True, multiline=True, max_length=MAX_BIO)
    links = StatedListField(
        required=False,
        child=StrictStringField(max_length=MAX_LINK),
        max_length=FounderProfile.MAX_LINKS,
        help_text="https URLs. Replaces all.",
    )
    photo_url = StrictStringField(
        required=False, allow_blank=True, max_length=2000, help_text=f"URL of a {FORMAT_NAMES} file. Empty removes it."
    )
    photo_base64 = StrictStringField(
        required=False, allow_blank=True, max_length=_MAX_BASE64, help_text="Or the file itself, up to 5 MB."
    )
    site = SiteField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("photo_url") and attrs.get("photo_base64"):
            raise serializers.ValidationError({"photo_base64": "Send photo_url or photo_base64, not both."})
        return attrs


def _read_photo(view: ApiViewSet, request: Request) -> bytes | None:
    """Return the photo that was sent or that a URL leads to, empty to remove it, or None to keep the saved one."""
    body = view.parse(UpdateProfileSerializer)
    if encoded := body.get("photo_base64"):
        # A data URL has the type in front.
        plain = _DATA_URL.sub("", encoded, count=1).translate(_USUAL_BASE64)
        try:
            photo = b64decode(plain + "=" * (-len(plain) % 4), validate=True)
        except ValueError:
            raise PictureRefused("Send a base64 string.", pointer="/photo_base64") from None
        if not photo:
            raise PictureRefused("The file is empty.", pointer="/photo_base64")
        return photo
    if not (url := body.get("photo_url")):
        return None if url is None else b""
    return services.download_photo(user=account_of(request), url=url)


class ProfileViewSet(ApiViewSet):
    @operation(
        scope=Scope.ACCOUNT_READ,
        tag=TAG,
        summary="Get the founder profile",
        query=SiteQuery,
        returns=ProfileSerializer,
    )
    def get_profile(self, request: SiteRequest) -> Response:
        """Get the account's founder profile. `missing` says what a free launch still needs."""
        site = named_site(request, self.parse_query(SiteQuery))
        return Response(_shown(get_profile(account_of(request)), site))

    @operation(
        scope=Scope.LISTINGS_WRITE,
        tag=TAG,
        summary="Update the founder profile",
        body=UpdateProfileSerializer,
        max_body_bytes=settings.MAX_JSON_PICTURE_BYTES,
        prepare=_read_photo,
        returns=ProfileSerializer,
        idempotent=True,
        open_world=True,
    )
    def update_profile(self, request: SiteRequest, photo: bytes | None) -> Response:
        """Change the founder profile, which is public with the account's live listings and stories.

        Only the fields you send change. Use the owner's own words and photo.
        """
        values = self.parse(UpdateProfileSerializer)
        texts = {name: values[name] for name in ("real_name", "role", "bio", "links") if name in values}
        user, site = account_of(request), named_site(request, values)
        with transaction.atomic():
            if texts:
                services.update_profile(user=user, **texts, address=client_address(request))
            if photo:
                services.set_photo(user=user, data=photo, site=site)
            elif photo is not None:
                services.remove_photo(user=user)
        return Response(_shown(get_profile(User.objects.get(pk=user.pk)), site))


def _shown(profile: FounderProfile, site: Site) -> dict[str, Any]:
    return dict(ProfileSerializer(profile, context={"site": site}).data)
