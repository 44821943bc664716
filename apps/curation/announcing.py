"""Email authors what a moderator decided about their collections."""

from django.utils import timezone

from apps.core.email import outbox
from apps.core.email.text import render_words
from apps.curation.models import Collection


def email_removal(collection: Collection) -> None:
    """Email the reason to the author, in the caller's transaction."""
    author, site = collection.author, collection.site
    if not author.is_active:
        return
    context = {
        "collection": collection,
        "site": site,
        "reason": collection.removed_reason,
        "edit_url": site.url(collection.edit_path),
    }
    outbox.put(
        key=f"collection-{collection.pk}-removed-{timezone.now():%Y%m%d%H%M%S}",
        to=author.email,
        words=render_words("curation/emails/removed", context),
        site=site,
    )
