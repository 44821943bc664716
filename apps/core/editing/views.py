"""The page of an editor that autosaves, and its autosave URL. Apps render their own parts.

GET returns `{account, token}`: the editor's account, and a token for forms opened before the last sign-in. POST takes
`{account, texts: {name: text}, opened: {name: [mark, mark]}}` and returns `{fields: {name: field}, parts: {name:
html}}`. A field is `{opened, overruling, words, characters, is_unsaved, is_kept, problem, conflict}`. `conflict` is
HTML or empty, and `overruling` has the marks for saving a form whose conflict was seen. A refusal is `{problem}`, a
sentence: 401 signed out, 409 another account, 400 and 413 for an unreadable body.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache

from apps.core.editing.marks import dump_marks, read_marks
from apps.core.editing.merge import StaleFormError
from apps.core.editing.plain_text import WORD_PATTERN
from apps.core.editing.text_document import Refusal, ShownText, TextDocument
from apps.core.errors import DomainError

D = TypeVar("D", bound=TextDocument[Any])
Saved = TypeVar("Saved")
_KINDS: tuple[Literal["saved", "typed"], ...] = ("saved", "typed")


def edit_texts(
    request: HttpRequest,
    document: TextDocument[Saved],
    *,
    draw: Callable[[list[ShownText], Refusal | None], HttpResponse],
    announce: Callable[[Saved], None],
) -> HttpResponse:
    """Show, save, replace or discard texts. `draw` renders the page, `announce` adds the message."""
    if request.method != "POST":
        return draw(document.open(), None)
    typed = {name: request.POST[name] for name in document.fields if name in request.POST}
    opened = read_marks(request.POST.get("opened", ""))
    for kind in _KINDS:
        if (name := request.POST.get(f"take_{kind}", "")) in document.fields:
            document.take(name, typed=typed, opened=opened, kind=kind)
            return redirect(f"{request.path}#{name}")
    if "discard" in request.POST:
        document.discard()
        messages.success(request, "Unsaved changes discarded")
        return redirect(request.path)
    try:
        saved = document.save(typed=typed, opened=opened)
    except (StaleFormError, DomainError) as refusal:
        page = draw(document.refused(refusal, typed=typed, opened=opened), refusal)
        page.status_code = refusal.status
        return page
    announce(saved)
    return redirect(request.path)


def editor_context(request: HttpRequest, texts: Sequence[ShownText], refusal: Refusal | None) -> dict[str, Any]:
    """Return the context for templates in templates/editing."""
    problems = [field for field in texts if field.problem]
    return {
        "account": request.user.pk,
        "opened": dump_marks({field.name: field.seen for field in texts}),
        "problem": refusal.detail if isinstance(refusal, DomainError) and not problems else "",
        "problems": problems,
        "has_conflicts": any(field.conflict for field in texts),
        "is_unsaved": any(field.is_unsaved for field in texts),
        "pattern": WORD_PATTERN,
    }


@never_cache
def autosave_texts(
    request: HttpRequest,
    *,
    document_of: Callable[[], D],
    parts: Callable[[D, list[ShownText]], Mapping[str, str]],
) -> HttpResponse:
    """Keep the text typed into a document of the signed-in account. `parts` renders what depends on it."""
    if not request.user.is_authenticated:
        return _refusal(401, "You're signed out.")
    if request.method != "POST":
        return JsonResponse({"account": request.user.pk, "token": get_token(request)})
    try:
        sent = json.loads(request.body)
    except RequestDataTooBig:
        return _refusal(413, "This is too long to save on the server.")
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict) or not isinstance(sent.get("texts"), dict):
        return _refusal(400, "This can't be read.")
    if sent.get("account") != request.user.pk:
        return _refusal(409, "Another account is signed in.")
    document = document_of()
    typed = {name: text for name, text in sent["texts"].items() if isinstance(text, str)}
    texts = document.autosave(typed=typed, opened=read_marks(sent.get("opened")))
    fields = {name: _field(field) for name, field in texts.items()}
    return JsonResponse({"fields": fields, "parts": dict(parts(document, document.open()))})


def _field(text: ShownText) -> dict[str, Any]:
    context = {"conflict": text.conflict, "keeps_texts": True}
    return {
        "opened": list(text.seen),
        "overruling": list(text.overruling),
        "words": text.words,
        "characters": text.characters,
        "is_unsaved": text.is_unsaved,
        "is_kept": text.is_kept,
        "problem": text.problem,
        "conflict": render_to_string("editing/conflict.html", context) if text.conflict else "",
    }


def _refusal(status: int, problem: str) -> HttpResponse:
    return JsonResponse({"problem": problem}, status=status)
