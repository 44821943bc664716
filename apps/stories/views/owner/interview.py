"""The interview editor."""

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
from apps.sites.requests import SiteHttpRequest
from apps.stories.documents import InterviewDocument, NoLongerAskedError
from apps.stories.views.article import author_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SiteHttpRequest) -> HttpResponse:
    """Answer the site's questions. Unsaved text is restored."""
    document = _document(request)
    return edit_texts(
        request,
        document,
        draw=lambda answers, refusal: _page(request, document, answers, refusal),
        announce=lambda is_changed: _announce(request, is_changed),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def autosave_interview(request: SiteHttpRequest) -> HttpResponse:
    """Save the editor's text as unsaved text, visible only to its writer."""
    return autosave_texts(request, document_of=lambda: _document(request), parts=_parts)


def _document(request: SiteHttpRequest) -> InterviewDocument:
    return InterviewDocument(
        user=account_of(request), site=request.site, by=actor_of(request), sent=request.POST.dict()
    )


def _announce(request: SiteHttpRequest, is_changed: bool) -> None:
    if is_changed:
        messages.success(request, "Answers saved")
    else:
        messages.info(request, "No changes")


def _parts(document: InterviewDocument, answers: list[ShownText]) -> dict[str, str]:
    """Render the parts of the page that depend on the text."""
    return {"progress": render_to_string("stories/owner/parts/progress.html", _progress(answers))}


def _progress(answers: list[ShownText]) -> dict[str, int]:
    return {"answered": sum(bool(field.text) for field in answers), "asked": len(answers)}


def _page(
    request: SiteHttpRequest, document: InterviewDocument, answers: list[ShownText], refusal: Refusal | None
) -> HttpResponse:
    context: dict[str, Any] = {
        **editor_context(request, answers, refusal),
        "answers": answers,
        "max_links": document.site.story_max_links,
        "progress": _progress(answers),
        "page_url": author_of(document.user, site=document.site).page_url,
        "gone": refusal.gone if isinstance(refusal, NoLongerAskedError) else [],
    }
    return render(request, "stories/owner/interview.html", context)
