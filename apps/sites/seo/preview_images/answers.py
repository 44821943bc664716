"""Serve preview images with conditional requests, drawn once for all processes."""

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

# The URL changes with the content, but some clients keep the old one, and removed content must not stay
# in shared caches.
_CACHE_CONTROL = "public, max-age=3600"
_MAX_AGE_SECONDS = 24 * 3600


def preview_answer(
    request: HttpRequest, picture: Picture, *, read_photo: PhotoReader | None = None
) -> HttpResponseBase:
    """Return the image as PNG, or 304 if the client has it. `read_photo` returns a photo's JPEG by key."""
    mark = quote_etag(picture.mark)
    answer = get_conditional_response(request, etag=mark)
    if answer is None:
        drawn = _drawn(picture, read_photo)
        mark = quote_etag(drawn.mark)
        image = HttpResponse(drawn.content, content_type="image/png")
        # Without its photo the image has another mark, which the browser may have.
        answer = get_conditional_response(request, etag=mark, response=image) or image
        answer["X-Content-Type-Options"] = "nosniff"
    answer["ETag"] = mark
    answer["Cache-Control"] = _CACHE_CONTROL
    return answer


def _drawn(picture: Picture, read_photo: PhotoReader | None) -> Drawn:
    """Return the cached image or draw it. Without Valkey each process draws its own."""
    key = f"preview-image:{picture.mark}"
    with suppress(RedisError):
        stored = cache.get(key)
        if isinstance(stored, str):
            return Drawn(b64decode(stored), picture.mark)
    drawn = draw(picture, read_photo=read_photo)
    if drawn.mark == picture.mark:
        with suppress(RedisError):
            cache.set(key, b64encode(drawn.content).decode(), _MAX_AGE_SECONDS)
    return drawn
