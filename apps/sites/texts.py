"""Pages written by site admins: terms, privacy, imprint, and their placeholders."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string

from apps.core.errors import NotFound
from apps.core.versions.differences import changes_between
from apps.core.versions.models import Author
from apps.sites.models import Site, SitePage, SitePageVersion

Kind = SitePage.Kind

# An imprint is the operator's own name and address and has no placeholder.
_PLACEHOLDERS = {Kind.TERMS: "sites/placeholders/terms.md", Kind.PRIVACY: "sites/placeholders/privacy.md"}


class PageNotWritten(NotFound):
    code = "page_not_written"
    title = "Page not written yet"


@dataclass(frozen=True, slots=True)
class Words:
    """A page's title and Markdown text. Without `updated_at` it is the placeholder."""

    title: str
    text: str
    updated_at: datetime | None = None


def words_of(site: Site, kind: str) -> Words:
    """Return the current content of a site's page, or its placeholder.

    Raises PageNotWritten (404) for an imprint that nobody has written.
    """
    page = SitePage.objects.filter(site=site, kind=kind).first()
    if page:
        return Words(page.title, page.text, page.updated_at)
    text = placeholder(site, kind)
    if not text:
        raise PageNotWritten("This page hasn't been written yet.")
    return Words(Kind(kind).label, text)


def placeholder(site: Site, kind: str) -> str:
    """Return Markdown to start a page with. Empty for an imprint."""
    name = _PLACEHOLDERS.get(Kind(kind))
    context = {
        "site": site,
        "uses_model": bool(settings.LLM_BASE_URL),
        "session_days": settings.SESSION_COOKIE_AGE // 86_400,
    }
    return render_to_string(name, context) if name else ""


@transaction.atomic
def save_page(*, page: SitePage, by: Author, restored_from: SitePageVersion | None = None) -> SitePage:
    """Publish a page and keep a version, unless the latest version is identical."""
    page.save()
    latest = page.versions.first()
    now = _snapshot_of(page)
    if changes := changes_between(latest.snapshot if latest else {}, now):
        SitePageVersion.keep(page=page, by=by, changes=changes, snapshot=now, restored_from=restored_from)
    return page


def restore_version(*, version: SitePageVersion, by: Author) -> SitePage:
    """Publish a page's text from an earlier version. The current text stays in the history."""
    page = version.page
    page.title, page.text = version.snapshot["title"], version.snapshot["text"]
    return save_page(page=page, by=by, restored_from=version)


def is_shown(version: SitePageVersion) -> bool:
    """Return whether the page matches this version."""
    return bool(version.snapshot == _snapshot_of(version.page))


def _snapshot_of(page: SitePage) -> dict[str, str]:
    return {"title": page.title, "text": page.text}
