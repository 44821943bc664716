"""Download the logos and screenshots that a proposal names, and keep only real ones in it."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from apps.core.errors import ServiceUnavailable
from apps.core.pictures.download import PictureUnreachable, download_picture
from apps.core.pictures.reading import PictureRefused
from apps.drafts.models import DraftPicture
from apps.drafts.proposals.apply_filter import drop
from apps.listings.services.pictures.files import store

Field = DraftPicture.Field

SECONDS = 20.0
_REASONS = {
    Field.LOGO: "We found no logo of at least 128 pixels as JPEG, PNG or WebP.",
    Field.SCREENSHOTS: "We found no product screenshots of at least 640 × 300 pixels.",
}


class PictureFinder:
    """Checks the pictures of one proposal. `stored` holds the ones whose files are stored, to save with the draft.

    Asks only where `allows` lets it, and waits `delay_seconds` between two requests. What it can't download by
    `ends_at`, and what a server may send later, stays proposed: the listing downloads it.
    """

    def __init__(self, *, allows: Callable[[str], bool], delay_seconds: float, ends_at: float) -> None:
        self.stored: list[DraftPicture] = []
        self._allows = allows
        self._delay_seconds = delay_seconds
        self._ends_at = min(ends_at, time.monotonic() + SECONDS)
        self._known: dict[tuple[str, str], bool] = {}

    def keep_real_ones(self, found: dict[str, Any]) -> dict[str, Any]:
        """Return the proposal without what is no picture. A logo gives way to the first other that is one."""
        result = found
        for field, reason in _REASONS.items():
            result = {
                **found,
                **drop(result, {str(field): partial(self._is_real, field)}, reason=partial(_same, reason)),
            }
        return result

    def _is_real(self, field: str, value: str | list[str]) -> bool:
        url = value if isinstance(value, str) else value[0]
        if (field, url) not in self._known:
            self._known[field, url] = self._download(field, url)
        return self._known[field, url]

    def _download(self, field: str, url: str) -> bool:
        if not self._allows(url):
            return False
        if self._known:
            time.sleep(self._delay_seconds)
        if time.monotonic() > self._ends_at:
            return True
        try:
            stored = store(field, download_picture(url), is_found=True)
        except (PictureUnreachable, ServiceUnavailable):
            return True
        except PictureRefused:
            return False
        self.stored.append(DraftPicture(field=field, url=url, key=stored.key, width=stored.width, height=stored.height))
        return True


def _same(reason: str, value: object) -> str:
    return reason
