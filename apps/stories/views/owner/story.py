"""The editor of a founder story."""

from typing import Any, Literal

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods

from apps.accounts.actors import actor_of
from apps.accounts.requests import account_of
from apps.core.errors import DomainError
from apps.listings.guidance import blockers
from apps.listings.models import Listing
from apps.listings.owner_pages import head, is_open, own_listing, to_overview
from apps.sites.requests import SiteHttpRequest
from apps.stories.editing import (
    Document,
    Overtaken,
    Seen,
    Shown,
    discard,
    dump_opened,
    has_conflicts,
    open_document,
    read_opened,
    refused,
    save,
    take,
)
from apps.stories.editing.story import StoryDocument, standing_of
from apps.stories.plain_text import WORD_PATTERN
from apps.stories.rules.site_rules import Rules
from apps.stories.sections import SECTIONS
from apps.stories.services.stories import Outcome
from apps.stories.views.owner import autosaving
from apps.stories.views.owner.recover_form import keeps_words

HINTS = {
    "how_started": "The day or the thought it began with.",
    "problem": "Whose problem it is, and what they did before.",
    "what_built": "What it does today, and what you left out on purpose.",
    "hard_parts": "What went wrong, and what you would do differently.",
    "milestones": "What you reached so far, with dates or numbers.",
    "whats_next": "What comes after this, and what you need for it.",
}
_KINDS: tuple[Literal["saved", "typed"], ...] = ("saved", "typed")


@keeps_words(lambda _: {"title": "Title", **SECTIONS})
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """The story's title and sections; what was typed and not saved stands there as it was left."""
    listing = own_listing(request, slug)
    if not is_open(listing, "edit_story"):
        return to_overview(listing)
    document = _document(request, listing, publish=request.POST.get("save") != "draft")
    if request.method != "POST":
        return _page(request, document, open_document(document))
    typed, opened = _typed(request, document), read_opened(request.POST.get("opened", ""))
    for kind in _KINDS:
        if (name := request.POST.get(f"take_{kind}", "")) in document.fields:
            take(document, name, typed=typed, opened=opened, kind=kind)
            return redirect(f"{request.path}#{name}")
    if "discard" in request.POST:
        discard(document)
        messages.success(request, "What was not saved is gone.")
        return redirect("edit_story", slug=slug)
    return _save(request, document, typed, opened)


@require_http_methods(["GET", "HEAD", "POST"])
def autosave_story(request: SiteHttpRequest, slug: str) -> HttpResponse:
    """Keep what is typed into the editor, where only its writer sees it."""
    return autosaving.answer(
        request, document_of=lambda _: _document(request, own_listing(request, slug)), parts=_parts
    )


def _document(request: SiteHttpRequest, listing: Listing, *, publish: bool = True) -> StoryDocument:
    return StoryDocument(user=account_of(request), listing=listing, by=actor_of(request), publish=publish)


def _typed(request: SiteHttpRequest, document: StoryDocument) -> dict[str, str]:
    return {name: request.POST[name] for name in document.fields if name in request.POST}


def _save(
    request: SiteHttpRequest, document: StoryDocument, typed: dict[str, str], opened: dict[str, Seen]
) -> HttpResponse:
    before = document.story()
    was_published = before is not None and before.published_at is not None
    try:
        outcome = save(document, typed=typed, opened=opened)
    except Overtaken as overtaken:
        shown = refused(document, typed=typed, opened=opened, conflicts=overtaken.conflicts)
        return _page(request, document, shown, status=409)
    except DomainError as refusal:
        problems = {problem.pointer.strip("/"): problem.detail for problem in refusal.errors}
        shown = refused(document, typed=typed, opened=opened, problems=problems)
        return _page(request, document, shown, status=refusal.status, problem=refusal.detail)
    _tell(request, outcome, document, was_published=was_published)
    return redirect("edit_story", slug=document.listing.slug)


def _tell(request: SiteHttpRequest, outcome: Outcome, document: StoryDocument, *, was_published: bool) -> None:
    story, count = outcome.story, len(outcome.gaps)
    if story.published_at and was_published:
        messages.success(request, "Saved. The story stays published.")
    elif story.published_at:
        messages.success(request, " ".join(["The story is published.", *blockers.story_steps(story)]))
    elif was_published:
        messages.warning(request, "Saved. The story is a draft again, since it no longer meets the rules of the site.")
    elif document.publish:
        things = f"{count} thing{'' if count == 1 else 's'}"
        verb = "is" if count == 1 else "are"
        told = f"Saved as a draft: {things} {verb} still missing. It is published by itself once nothing is."
        messages.warning(request, told)
    else:
        messages.success(request, "Saved as a draft.")


def _section(shown: Shown, rules: Rules) -> dict[str, Any]:
    hint = HINTS[shown.name]
    if shown.name in rules.required_sections:
        hint += " This section has to be there."
    return {"shown": shown, "hint": hint, "least": rules.min_section_words}


def _parts(document: Document[Outcome]) -> dict[str, str]:
    """What of the page depends on the words, drawn anew."""
    if not isinstance(document, StoryDocument):
        raise TypeError("This draws a story.")
    standing = standing_of(document, open_document(document))
    return {
        part: render_to_string(f"stories/owner/parts/{part}.html", {"standing": standing})
        for part in ("standing", "lacking")
    }


def _page(
    request: SiteHttpRequest, document: StoryDocument, shown: list[Shown], *, status: int = 200, problem: str = ""
) -> HttpResponse:
    standing, rules = standing_of(document, shown), Rules.of(document.listing.site)
    problems = [field for field in shown if field.problem]
    story = standing.story
    context: dict[str, Any] = {
        "listing": head(document.listing, current="edit_story"),
        "account": document.user.pk,
        "story": {
            "is_published": story.published_at is not None,
            "is_shown": story.is_shown,
            "is_held": story.held_at is not None,
            "url": story.url,
            "when": " ".join(blockers.story_steps(story)),
        },
        "title": shown[0],
        "sections": [_section(field, rules) for field in shown[1:]],
        "rules": rules,
        "words": sum(field.words for field in shown[1:]),
        "standing": standing,
        "opened": dump_opened(shown),
        "problem": "" if problems else problem,
        "problems": problems,
        "has_conflicts": has_conflicts(shown),
        "is_unsaved": any(field.is_unsaved for field in shown),
        "pattern": WORD_PATTERN,
    }
    return render(request, "stories/owner/edit.html", context, status=status)
