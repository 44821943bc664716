"""The story editor."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods

from apps.accounts.actors import account_of, actor_of
from apps.core.editing.text_document import Refusal, ShownText
from apps.core.editing.views import autosave_texts, edit_texts, editor_context
from apps.listings.guidance import blockers
from apps.listings.models import Listing
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.sites.requests import SiteHttpRequest
from apps.stories.documents import StoryDocument, story_status
from apps.stories.rules.site_rules import Rules
from apps.stories.services.stories import Outcome

HINTS = {
    "how_started": "The day or idea it started with.",
    "problem": "Who has the problem, and what they did before.",
    "what_built": "What it does today, and what you left out on purpose.",
    "hard_parts": "What went wrong, and what you would do differently.",
    "milestones": "What you've reached, with dates or numbers.",
    "whats_next": "What's next, and what you need for it.",
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Edit the story's title and sections. Unsaved text is restored."""
    listing = own_listing(request, slug)
    if not is_open(listing, "edit_story"):
        return to_overview(listing)
    document = _document(request, listing, publish=request.POST.get("save") != "draft")
    return edit_texts(
        request,
        document,
        draw=lambda texts, refusal: _page(request, document, texts, refusal),
        announce=lambda outcome: _announce(request, outcome, publish=document.publish),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def autosave_story(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Save the editor's text as unsaved text, visible only to its writer."""
    return autosave_texts(request, document_of=lambda: _document(request, own_listing(request, slug)), parts=_parts)


def _document(request: SiteHttpRequest, listing: Listing, *, publish: bool = True) -> StoryDocument:
    return StoryDocument(user=account_of(request), listing=listing, by=actor_of(request), publish=publish)


def _announce(request: SiteHttpRequest, outcome: Outcome, *, publish: bool) -> None:
    story, count = outcome.story, len(outcome.gaps)
    if story.published_at and outcome.was_published:
        messages.success(request, "Changes published")
    elif story.published_at:
        messages.success(request, " ".join(["Story published.", *blockers.story_steps(story)]))
    elif outcome.was_published:
        messages.warning(request, "Saved as a draft. The story no longer meets all requirements.")
    elif publish:
        missing = f"{count} requirement{'' if count == 1 else 's'}"
        messages.warning(request, f"Saved as a draft. {missing} left. We'll publish it when all are met.")
    else:
        messages.success(request, "Draft saved")


def _section(text: ShownText, rules: Rules) -> dict[str, Any]:
    hint = HINTS[text.name]
    if text.name in rules.required_sections:
        hint += " Required."
    return {"shown": text, "hint": hint, "least": rules.min_section_words}


def _parts(document: StoryDocument, texts: list[ShownText]) -> dict[str, str]:
    """Render the parts of the page that depend on the text."""
    status = story_status(document, texts)
    return {
        part: render_to_string(f"stories/owner/parts/{part}.html", {"status": status}) for part in ("status", "lacking")
    }


def _page(
    request: SiteHttpRequest, document: StoryDocument, texts: list[ShownText], refusal: Refusal | None
) -> HttpResponse:
    status, rules = story_status(document, texts), Rules.of(document.listing.site)
    story = status.story
    context: dict[str, Any] = {
        **editor_context(request, texts, refusal),
        "listing": head(document.listing, current="edit_story"),
        "story": {
            "is_published": story.published_at is not None,
            "is_shown": story.is_shown,
            "is_taken_down": story.taken_down_at is not None,
            "url": story.url,
            "when": " ".join(blockers.story_steps(story)),
        },
        "title": texts[0],
        "sections": [_section(field, rules) for field in texts[1:]],
        "rules": rules,
        "words": sum(field.words for field in texts[1:]),
        "status": status,
    }
    return render(request, "stories/owner/edit.html", context)
