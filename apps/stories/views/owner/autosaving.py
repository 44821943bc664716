"""The address under which an editor keeps what is typed, for stories and interviews alike.

GET answers `{account, token}`: whose editor it is, and a token for forms that were opened before the last sign-in. POST
takes `{account, texts: {name: text}, opened: {name: [mark, mark]}}` and answers `{fields: {name: field}, parts: {name:
html}}`. A field is `{opened, overruling, words, characters, is_unsaved, is_kept, problem, conflict}`, the last one HTML
or empty; `overruling` are the marks for saving a form whose conflict was seen. A refusal is `{problem}`, a sentence:
401 signed out, 409 another account, 400 and 413 what cannot be read.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.core.exceptions import RequestDataTooBig
from django.http import HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache

from apps.accounts.models import User
from apps.sites.requests import SiteHttpRequest
from apps.stories.editing import Document, Shown, autosave, read_opened

Saved = TypeVar("Saved")


@never_cache
def answer(
    request: SiteHttpRequest,
    *,
    document_of: Callable[[User], Document[Saved]],
    parts: Callable[[Document[Saved]], Mapping[str, str]] | None = None,
) -> HttpResponse:
    """Keep what was typed into the document of the account that is signed in; `parts` draws what depends on it."""
    user = request.user
    if not isinstance(user, User):
        return _refusal(401, "You are signed out.")
    if request.method != "POST":
        return JsonResponse({"account": user.pk, "token": get_token(request)})
    try:
        sent = json.loads(request.body)
    except RequestDataTooBig:
        return _refusal(413, "This is too long to be kept on the server.")
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict) or not isinstance(sent.get("texts"), dict):
        return _refusal(400, "This cannot be read.")
    if sent.get("account") != user.pk:
        return _refusal(409, "Another account is signed in.")
    document = document_of(user)
    typed = {name: text for name, text in sent["texts"].items() if isinstance(text, str)}
    shown = autosave(document, typed=typed, opened=read_opened(sent.get("opened")))
    fields = {name: _field(field) for name, field in shown.items()}
    return JsonResponse({"fields": fields, "parts": dict(parts(document)) if parts else {}})


def _field(shown: Shown) -> dict[str, Any]:
    conflict = render_to_string("stories/owner/parts/conflict.html", {"shown": shown}) if shown.conflict else ""
    return {
        "opened": list(shown.seen),
        "overruling": list(shown.overruling),
        "words": shown.words,
        "characters": shown.characters,
        "is_unsaved": shown.is_unsaved,
        "is_kept": shown.is_kept,
        "problem": shown.problem,
        "conflict": conflict,
    }


def _refusal(status: int, problem: str) -> HttpResponse:
    return JsonResponse({"problem": problem}, status=status)
