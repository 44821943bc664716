"""The result of a fetch."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from apps.core.fetch.errors import FetchFailure

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})

# What servers send for a file whose type they don't know. Source: WHATWG, 'MIME Sniffing'.
_NO_TYPES = frozenset({"*/*", "application/unknown", "unknown/unknown"})
_MEDIA_TYPE = re.compile(r"[\w!#$%&'*+.^`|~-]+/[\w!#$%&'*+.^`|~-]+", re.ASCII)
_CHARSET = re.compile(r""";\s*charset\s*=\s*["']?([^\s;"']+)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response with any HTTP status.

    `url` is the final URL and `redirects` those before it, in order. Header names are lower case, repeated headers
    joined by commas. `content_type` is the bare media type in lower case, empty if none was sent. `body` is
    decompressed and otherwise unchanged, and `cut` says why its end is missing, if it is. `location` is the target of a
    redirect that was not followed, `refresh` the URL that a page sends its visitors to. Both may be empty.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    content_type: str
    body: bytes
    elapsed_ms: int
    redirects: tuple[str, ...] = ()
    location: str = ""
    refresh: str = ""
    cut: FetchFailure | None = None

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_html(self) -> bool:
        return self.content_type in HTML_TYPES

    @property
    def charset(self) -> str | None:
        """The character set the Content-Type header claims; it may be wrong or unknown."""
        result = _CHARSET.search(self.headers.get("content-type", ""))
        return result.group(1).lower() if result else None


def media_type(content_type: str) -> str:
    """Return `Text/HTML; charset=utf-8` as `text/html`.

    Of repeated headers the last valid one counts, and an invalid one declares nothing. Source: WHATWG, 'Fetch',
    'extract a MIME type'.
    """
    kinds = (value.partition(";")[0].strip().lower() for value in content_type.split(","))
    return next((kind for kind in reversed([*kinds]) if _MEDIA_TYPE.fullmatch(kind) and kind not in _NO_TYPES), "")
