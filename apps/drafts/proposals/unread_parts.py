"""Warn of pages that could only be read in part: cut off by a limit, or with characters that could not be read."""

from collections.abc import Iterable, Iterator

from apps.core.html.charset import LOST
from apps.drafts.extraction import ReadPage
from apps.drafts.extraction.text.cleaning import clean

CUT, GARBLED = "cut_off", "unreadable_characters"
_GARBLED_DETAIL = (
    "Some characters couldn't be read. Declare the character set that the page is saved in, or save it as UTF-8."
)


def unread_parts(pages: Iterable[ReadPage]) -> Iterator[dict[str, str]]:
    """Yield a warning for each page and reason: `field` (empty), `page_url`, `code` and `detail`."""
    for page in pages:
        if page.cut:
            yield _warning(page, CUT, f"We read only the first part of this page, because {page.cut}.")
        if any(LOST in text for text in _texts(page)):
            yield _warning(page, GARBLED, _GARBLED_DETAIL)


def _texts(page: ReadPage) -> Iterator[str]:
    yield from (clean(meta.content) for metas in page.document.metas.values() for meta in metas)
    yield from (clean(title.text) for title in page.document.root.iter("title"))
    yield from (line.text for line in page.lines)


def _warning(page: ReadPage, code: str, detail: str) -> dict[str, str]:
    return {"field": "", "page_url": page.url, "code": code, "detail": detail}
