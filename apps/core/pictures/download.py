"""Download pictures from untrusted URLs."""

from http import HTTPStatus

from apps.core.fetch import FetchError, FetchFailure, fetch_url
from apps.core.pictures.reading import FORMAT_NAMES, MAX_BYTES, MEDIA_TYPES, PictureRefused

_ACCEPT = "image/webp,image/png,image/jpeg"
# Servers that don't know a file's type, or write it wrongly. What the file is decides.
_UNSTATED = frozenset({"image/jpg", "application/octet-stream", "binary/octet-stream"})
_BUSY = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS})
# For every failure of the network the same, so that it tells nothing about ours.
_UNREACHABLE = "We can't reach this URL. Check it, or upload the file."
_REASONS = {
    FetchFailure.NOT_HTML: f"No {FORMAT_NAMES} picture at this URL.",
    FetchFailure.TOO_LARGE: f"The file at this URL is larger than {MAX_BYTES // 2**20} MB.",
}


class PictureUnreachable(PictureRefused):
    """The server can't send the picture now, but may later."""


def download_picture(url: str) -> bytes:
    """Return the file at a URL, which may not be a picture.

    Raises PictureRefused (422), and PictureUnreachable where trying again may help.
    """
    try:
        result = fetch_url(url, accept=_ACCEPT, media_types=MEDIA_TYPES | _UNSTATED, max_bytes=MAX_BYTES)
    except FetchError as error:
        refusal = PictureUnreachable if error.retryable else PictureRefused
        raise refusal(_REASONS.get(error.code, _UNREACHABLE)) from None
    if not result.is_success:
        is_passing = result.status in _BUSY or result.status >= HTTPStatus.INTERNAL_SERVER_ERROR
        refusal = PictureUnreachable if is_passing else PictureRefused
        raise refusal(f"The URL returned a {result.status}.")
    return result.body
