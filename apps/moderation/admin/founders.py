"""Founder profiles in the admin. Admins can only remove parts."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.accounts.actors import actor_of
from apps.accounts.founders.photos import photo_url
from apps.accounts.models import FounderProfile
from apps.core.admin.base import ModelAdmin, TakenAlong
from apps.core.admin.decisions import Decides, Decision, page_action
from apps.moderation.admin.forms import RemoveForm
from apps.moderation.admin.pages import HasCase
from apps.moderation.services import founder_profiles as moderation


def _decide(command: Callable[..., FounderProfile]) -> Callable[[FounderProfile, Mapping[str, Any], HttpRequest], Any]:
    def decide(profile: FounderProfile, values: Mapping[str, Any], request: HttpRequest) -> FounderProfile:
        return command(profile=profile, **values, by=actor_of(request, via="admin"))

    return decide


def _why_not(part: moderation.Part) -> Callable[[FounderProfile], str]:
    return lambda profile: moderation.why_not(part, profile)


TAKE_PHOTO = Decision(
    title="Remove photo",
    explanation=["Deletes the photo. Published stories stay, without it. You can't undo this."],
    done="Photos removed",
    decide=_decide(moderation.take_photo_away),
    why_not=_why_not("photo"),
    form=RemoveForm,
    is_dangerous=True,
)
EMPTY_TEXTS = Decision(
    title="Clear texts",
    explanation=[
        "Clears name, role, bio and links. The photo and the page URL stay. Only an appeal can undo this.",
        "Published stories stay. Editing one requires a complete profile.",
    ],
    done="Profiles cleared",
    decide=_decide(moderation.empty_texts),
    why_not=_why_not("texts"),
    form=RemoveForm,
    is_dangerous=True,
)


@admin.register(FounderProfile)
class FounderProfileAdmin(HasCase, Decides, TakenAlong, ModelAdmin):
    case_kind = "founder_profile"
    list_display = ("user", "real_name", "role", "has_photo", "updated_at")
    list_filter = (("photo_key", admin.EmptyFieldListFilter), "updated_at")
    list_select_related = ("user",)
    search_fields = ("user__email", "real_name", "slug")
    ordering = ("-updated_at", "-pk")
    fields = ("user", "slug", "real_name", "role", "bio", "addresses", "photo", "photo_pixels", "updated_at")
    readonly_fields = ("addresses", "photo", "updated_at")
    actions_detail = ("take_photo", "empty_texts", "see_case")

    def why_hidden(self) -> Mapping[str, Callable[[Any], str]]:
        return {"take_photo": TAKE_PHOTO.why_not, "empty_texts": EMPTY_TEXTS.why_not}

    @admin.display(description="photo", boolean=True, ordering="photo_key")
    def has_photo(self, profile: FounderProfile) -> bool:
        return bool(profile.photo_key)

    @admin.display(description="links")
    def addresses(self, profile: FounderProfile) -> str:
        """Return the links, one per line."""
        return "\n".join(profile.links) or "none"

    @admin.display(description="photo")
    def photo(self, profile: FounderProfile) -> SafeString | str:
        address = photo_url(profile, 192, "jpg")
        return format_html('<img src="{}" width="192" height="192" alt="">', address) if address else "none"

    @page_action(description="Remove photo", permissions=["decide"], icon="no_photography", is_dangerous=True)
    def take_photo(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, TAKE_PHOTO)

    @page_action(description="Clear texts", permissions=["decide"], icon="ink_eraser", is_dangerous=True)
    def empty_texts(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.ask_about(request, object_id, EMPTY_TEXTS)

    def get_queryset(self, request: HttpRequest) -> QuerySet[FounderProfile]:
        result: QuerySet[FounderProfile] = super().get_queryset(request)
        return result.select_related("user")
