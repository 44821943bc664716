"""Preview images in a site's name and color, and its own one, for the pages without a better."""

from typing import Any

from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from apps.core.templatetags.ui import hue_step
from apps.sites.models import Site
from apps.sites.requests import SiteHttpRequest
from apps.sites.seo.preview_images import Picture, preview_answer

_TAGLINE = "New products, ranked by the people who use them."


def picture_on(site: Site, **parts: Any) -> Picture:
    """A picture with the site's name and color; `parts` are the other parts of a Picture."""
    return Picture(site=site.name, hue=hue_step(site.hue), **parts)


def image_parts(site: Site, *, path: str, picture: Picture, alt: str) -> dict[str, str]:
    """What templates/parts/social.html needs of a picture at a path of the site; the address changes with it."""
    return {"image_url": site.url(f"{path}{'&' if '?' in path else '?'}v={picture.mark}"), "image_alt": alt}


def picture_of_site(site: Site) -> Picture:
    """The name large, with what the site says of itself."""
    return picture_on(site, title=site.name, text=site.tagline or _TAGLINE)


@require_safe
def site_image(request: SiteHttpRequest) -> HttpResponseBase:
    """The picture that other services show beside a link to a page without one of its own."""
    return preview_answer(request, picture_of_site(request.site))
