"""The interview's editor, for the account that answers."""

from typing import Any, Literal

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.accounts.requests import account_of
from apps.core.errors import DomainError
from apps.sites.requests import SiteHttpRequest
from apps.stories.editing import (
    Document,
    Overtaken,
    Seen,
    Shown,
    autosave,
    discard,
    dump_opened,
    has_conflicts,
    open_document,
    read_opened,
    refused,
    save,
    take,
)
from apps.stories.editing.interview import InterviewDocument
from apps.stories.models import InterviewAnswer, InterviewQuestion
from apps.stories.plain_text import WORD_PATTERN
from apps.stories.views.article import author_of
from apps.stories.views.owner import autosaving
from apps.stories.views.owner.recover_form import keeps_words

_KINDS: tuple[Literal["saved", "typed"], ...] = ("saved", "typed")


@keeps_words(lambda request: {str(asked.pk): asked.text for asked in InterviewQuestion.objects.asked(request.site)})
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SiteHttpRequest) -> HttpResponse:
    """What the site asks, each question with the answer; what was typed and not saved stands there as it was left."""
    document = _document(request, account_of(request))
    if request.method != "POST":
        return _page(request, document, open_document(document))
    typed = {name: request.POST[name] for name in document.fields if name in request.POST}
    opened = read_opened(request.POST.get("opened", ""))
    for kind in _KINDS:
        if (name := request.POST.get(f"take_{kind}", "")) in document.fields:
            take(document, name, typed=typed, opened=opened, kind=kind)
            return redirect(f"{request.path}#{name}")
    if "discard" in request.POST:
        discard(document)
        messages.success(request, "What was not saved is gone.")
        return redirect("edit_interview")
    if gone := document.no_longer_asked(request.POST.dict()):
        autosave(document, typed=typed, opened=opened)
        return _page(request, document, refused(document, typed=typed, opened=opened), gone=gone, status=409)
    return _save(request, document, typed, opened)


@require_http_methods(["GET", "HEAD", "POST"])
def autosave_interview(request: SiteHttpRequest) -> HttpResponse:
    """Keep what is typed into the editor, where only its writer sees it."""
    return autosaving.answer(request, document_of=lambda user: _document(request, user), parts=_parts)


def _document(request: SiteHttpRequest, user: User) -> InterviewDocument:
    return InterviewDocument(user=user, site=request.site, by=actor_of(request))


def _save(
    request: SiteHttpRequest, document: InterviewDocument, typed: dict[str, str], opened: dict[str, Seen]
) -> HttpResponse:
    before = document.saved()
    try:
        save(document, typed=typed, opened=opened)
    except Overtaken as overtaken:
        shown = refused(document, typed=typed, opened=opened, conflicts=overtaken.conflicts)
        return _page(request, document, shown, status=409)
    except DomainError as refusal:
        problems = {problem.pointer.strip("/"): problem.detail for problem in refusal.errors}
        shown = refused(document, typed=typed, opened=opened, problems=problems)
        return _page(request, document, shown, status=refusal.status, problem=refusal.detail)
    if document.saved() == before:
        messages.info(request, "Nothing was changed.")
    else:
        messages.success(request, "Your answers are saved.")
    return redirect("edit_interview")


def _parts(document: Document[list[InterviewAnswer]]) -> dict[str, str]:
    """What of the page depends on the words, drawn anew."""
    return {"progress": render_to_string("stories/owner/parts/progress.html", _progress(open_document(document)))}


def _progress(shown: list[Shown]) -> dict[str, int]:
    return {"answered": sum(bool(field.text) for field in shown), "asked": len(shown)}


def _page(
    request: SiteHttpRequest,
    document: InterviewDocument,
    shown: list[Shown],
    *,
    gone: list[tuple[str, str]] | None = None,
    status: int = 200,
    problem: str = "",
) -> HttpResponse:
    problems = [field for field in shown if field.problem]
    context: dict[str, Any] = {
        "account": document.user.pk,
        "answers": shown,
        "max_links": document.site.story_max_links,
        "progress": _progress(shown),
        "page_url": author_of(document.user, site=document.site).page_url,
        "opened": dump_opened(shown),
        "gone": gone or [],
        "problem": "" if problems else problem,
        "problems": problems,
        "has_conflicts": has_conflicts(shown),
        "is_unsaved": any(field.is_unsaved for field in shown),
        "pattern": WORD_PATTERN,
    }
    return render(request, "stories/owner/interview.html", context, status=status)
