"""URLs of founders' photos for templates. `accounts/parts/photo.html` shows one."""

from django import template

from apps.accounts.founders import photos
from apps.accounts.models import FounderProfile

register = template.Library()


@register.simple_tag
def photo_url(profile: FounderProfile, size: int, kind: str) -> str:
    """Return the URL of a photo of `size` pixels (512, 192 or 96) as `webp` or `jpg`. Empty without a photo."""
    return photos.photo_url(profile, size, kind)
