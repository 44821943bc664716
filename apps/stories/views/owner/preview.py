"""The owner's preview of a story."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.accounts.actors import account_of, actor_of
from apps.listings.guidance import blockers
from apps.listings.owner_pages import is_open, own_listing
from apps.sites.requests import SiteHttpRequest
from apps.stories.documents import StoryDocument, story_status
from apps.stories.rules.site_rules import Words
from apps.stories.views.article import article


@never_cache
@login_required
@require_safe
def story_preview(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Show the story with the editor's unsaved text, and what keeps it from being public."""
    listing, user = own_listing(request, slug), account_of(request)
    document = StoryDocument(user=user, listing=listing, by=actor_of(request))
    fields = document.open()
    texts = {field.name: field.text.strip() for field in fields}
    title = texts.pop("title", "")
    status = story_status(document, fields)
    context = {
        "slug": slug,
        "story": article(Words(title, texts), author=user, listing=listing),
        "published_at": status.story.published_at,
        "is_empty": not any(texts.values()),
        "is_public": status.story.is_shown,
        "when": " ".join(blockers.story_steps(status.story)),
        "is_unsaved": any(field.is_unsaved for field in fields),
        "can_edit": is_open(listing, "edit_story"),
        "missing": status.missing or status.returning,
        "returns": bool(status.returning),
    }
    return render(request, "stories/owner/preview.html", context)
