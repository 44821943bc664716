"""Preview images with a site's name and color, and the site's own image for other pages."""

from typing import Any

from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from apps.core.templatetags.ui import hue_step
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import Picture, preview_answer

_TAGLINE = "New products, ranked by the people who use them."


def picture_on(site: Site, *, path: str, **parts: Any) -> Picture:
    """Return an image of the page at a path, with the site's name and color. `parts` are further fields of Picture."""
    return Picture(
        site=site.name,
        hue=hue_step(site.hue),
        color=site.color,
        logo_key=site.logo_key,
        address=site.url(path).partition("://")[2],
        **parts,
    )


def image_parts(site: Site, *, path: str, picture: Picture, alt: str) -> dict[str, str]:
    """Return what templates/frame/social.html needs for an image at a path. The URL changes with the content."""
    return {"image_url": site.url(f"{path}{'&' if '?' in path else '?'}v={picture.mark}"), "image_alt": alt}


def picture_of_site(site: Site) -> Picture:
    """Return the site's image: its name and description."""
    return picture_on(site, path="", title=site.name, text=site.tagline or _TAGLINE)


@require_safe
def site_image(request: SiteHttpRequest) -> HttpResponseBase:
    """Serve the preview image for pages without their own."""
    return preview_answer(request, picture_of_site(request.site))
