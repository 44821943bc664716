"""Sending a preview image: asked for again only when it has changed, and drawn once for all processes."""

from base64 import b64decode, b64encode
from contextlib import suppress

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from redis import RedisError

from apps.sites.seo.preview_images.drawing import Drawn, PhotoReader, draw
from apps.sites.seo.preview_images.picture import Picture

# The picture's address changes with what is on it, but not everybody asks by the new one; and what the site's team
# takes down is not to stay in the caches of others.
_CACHE_CONTROL = "public, max-age=3600"
_KEPT_SECONDS = 24 * 3600


def preview_answer(
    request: HttpRequest, picture: Picture, *, read_photo: PhotoReader | None = None
) -> HttpResponseBase:
    """The picture as PNG, or 304 for who has it. `read_photo` gives the JPEG of a photo by its key."""
    mark = quote_etag(picture.mark)
    answer = get_conditional_response(request, etag=mark)
    if answer is None:
        drawn = _drawn(picture, read_photo)
        mark = quote_etag(drawn.mark)
        image = HttpResponse(drawn.content, content_type="image/png")
        # Without its photo it has another mark, which the browser may have.
        answer = get_conditional_response(request, etag=mark, response=image) or image
        answer["X-Content-Type-Options"] = "nosniff"
    answer["ETag"] = mark
    answer["Cache-Control"] = _CACHE_CONTROL
    return answer


def _drawn(picture: Picture, read_photo: PhotoReader | None) -> Drawn:
    """From the cache of all processes, or drawn; without Valkey each process draws for itself."""
    key = f"preview-image:{picture.mark}"
    with suppress(RedisError):
        kept = cache.get(key)
        if isinstance(kept, str):
            return Drawn(b64decode(kept), picture.mark)
    drawn = draw(picture, read_photo=read_photo)
    if drawn.mark == picture.mark:
        with suppress(RedisError):
            cache.set(key, b64encode(drawn.content).decode(), _KEPT_SECONDS)
    return drawn
