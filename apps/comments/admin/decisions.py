"""Confirmed admin decisions on comments."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from apps.accounts.actors import actor_of
from apps.comments.models import Comment
from apps.comments.services import moderation
from apps.core.admin.decisions import Decision
from apps.moderation.admin.forms import NoteForm, RemoveForm

Status = Comment.Status


def _approve(comment: Comment, values: Mapping[str, Any], request: HttpRequest) -> None:
    moderation.approve_comment(comment=comment, note=values["note"], by=actor_of(request, via="admin"))


def _remove(comment: Comment, values: Mapping[str, Any], request: HttpRequest) -> None:
    moderation.remove_comment(comment=comment, by=actor_of(request, via="admin"), **values)


def _restore(comment: Comment, values: Mapping[str, Any], request: HttpRequest) -> None:
    moderation.restore_comment(comment=comment, note=values["note"], by=actor_of(request, via="admin"))


def why_not_approve(comment: Comment) -> str:
    return "" if comment.status == Status.IN_REVIEW else "Not in review."


def why_not_remove(comment: Comment) -> str:
    return {Status.REMOVED: "Already removed.", Status.DELETED: "Deleted by its author."}.get(
        Status(comment.status), ""
    )


def why_not_restore(comment: Comment) -> str:
    return "" if comment.status == Status.REMOVED else "Not removed."


def _effects(comment: Comment) -> list[str]:
    return [f"By {comment.author} on {comment.listing}"]


APPROVE = Decision(
    title="Approve",
    explanation=["The comments appear on their listings. Their reports are closed."],
    done="Comments approved",
    decide=_approve,
    why_not=why_not_approve,
    effects=_effects,
    form=NoteForm,
)
REMOVE = Decision(
    title="Remove",
    explanation=[
        "The text disappears from all public pages immediately. The author gets the reason by email.",
        "For 30 days, a moderator reads the author's comments before they appear.",
    ],
    done="Comments removed",
    decide=_remove,
    why_not=why_not_remove,
    effects=_effects,
    form=RemoveForm,
    is_dangerous=True,
)
RESTORE = Decision(
    title="Restore",
    explanation=["The comments appear on their listings again."],
    done="Comments restored",
    decide=_restore,
    why_not=why_not_restore,
    effects=_effects,
    form=NoteForm,
)
# By the name of their button.
BUTTONS = {"approve_one": why_not_approve, "remove_one": why_not_remove, "restore_one": why_not_restore}
