"""Checks whether the crawler reaches the internet for `manage.py doctor`."""

from collections.abc import Iterator

from django.conf import settings
from django.core import checks

from apps.core.fetch import FetchError, fetch_url
from apps.core.operations.doctor.examinations import examines


@examines("crawler")
def _crawler() -> Iterator[checks.CheckMessage]:
    """Read the page that crawled websites are referred to: it is public wherever the site is."""
    if settings.LOCAL:
        return
    try:
        fetch_url(settings.CRAWL_CONTACT_URL)
    except FetchError as error:
        hint = "Allow the crawler's machine DNS lookups and ports 80 and 443, or correct CRAWL_CONTACT_URL."
        yield checks.Error(f"It can't read {settings.CRAWL_CONTACT_URL} ({error.code}).", hint=hint)
