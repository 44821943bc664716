"""The pages of a history: its entries (parts/versions.html), and restoring a version (parts/restore.html)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from apps.core.errors import DomainError
from apps.core.versions.authorship import Authorship
from apps.core.versions.differences import Difference
from apps.core.versions.models import Version


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One of the things that an act changed. `unchanged` is shown if there are no differences."""

    differences: Sequence[Difference]
    label: str = ""
    tone: str = "neutral"
    unchanged: str = ""
    restore_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One act of a history: who, how, when, and what changed. `restored_at` is the time of the restored version."""

    author: Authorship
    created_at: datetime
    parts: Sequence[Part]
    restored_at: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoring:
    """A version to restore, what that would change now, and the URL of the history.

    `newest` is the id of the newest version, which the person must have seen when confirming. `label_of` names the
    fields in errors.
    """

    version: Version
    differences: Sequence[Difference]
    newest: int | None
    history_url: str
    label_of: Callable[[str], str] = str


def restore_page(
    request: HttpRequest,
    restoring: Restoring,
    *,
    restore: Callable[[], HttpResponse],
    template: str,
    context: Mapping[str, Any],
) -> HttpResponse:
    """Show what restoring a version would change. The form on the page calls `restore`."""

    def page(*, status: int = 200, **more: Any) -> HttpResponse:
        return render(request, template, {**context, "restoring": restoring, **more}, status=status)

    if not restoring.differences:
        return redirect(restoring.history_url)
    if request.method != "POST":
        return page()
    if request.POST.get("newest") != str(restoring.newest):
        # The change that the reader confirmed is not the one that would happen.
        return page(status=409, has_changed=True)
    try:
        return restore()
    except DomainError as refusal:
        problems = [
            {"label": restoring.label_of(problem.pointer.rpartition("/")[2]), "text": problem.detail}
            for problem in refusal.errors
        ]
        return page(status=refusal.status, refusal=refusal.detail, problems=problems)
