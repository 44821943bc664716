"""Confirmed admin decisions on collections."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.core.admin.decisions import Decision
from apps.core.web.forms import CleanTextField
from apps.curation.models import MAX_REASON, Collection
from apps.curation.services import moderation

Status = Collection.Status


class RemoveForm(forms.Form):
    reason = CleanTextField(
        max_length=MAX_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Sent to the author by email.",
    )


def _approve(collection: Collection, values: Mapping[str, Any], request: HttpRequest) -> None:
    moderation.approve_collection(collection=collection)


def _remove(collection: Collection, values: Mapping[str, Any], request: HttpRequest) -> None:
    moderation.remove_collection(collection=collection, reason=values["reason"])


def _restore(collection: Collection, values: Mapping[str, Any], request: HttpRequest) -> None:
    moderation.restore_collection(collection=collection)


def why_not_approve(collection: Collection) -> str:
    return "" if collection.status == Status.IN_REVIEW else "Not in review."


def why_not_remove(collection: Collection) -> str:
    return {Status.REMOVED: "Already removed.", Status.PRIVATE: "Private."}.get(Status(collection.status), "")


def why_not_restore(collection: Collection) -> str:
    return "" if collection.status == Status.REMOVED else "Not removed."


def _effects(collection: Collection) -> list[str]:
    return [f"By {collection.author} on {collection.site}, {collection.items.count()} listings"]


APPROVE = Decision(
    title="Approve",
    explanation=["Everybody sees the collections."],
    done="Collections approved",
    decide=_approve,
    why_not=why_not_approve,
    effects=_effects,
)
REMOVE = Decision(
    title="Remove",
    explanation=[
        "The collections disappear from all public pages immediately. The author gets the reason by email.",
        "A moderator reads the author's other collections before they become public.",
    ],
    done="Collections removed",
    decide=_remove,
    why_not=why_not_remove,
    effects=_effects,
    form=RemoveForm,
    is_dangerous=True,
)
RESTORE = Decision(
    title="Restore",
    explanation=["Everybody sees the collections again."],
    done="Collections restored",
    decide=_restore,
    why_not=why_not_restore,
    effects=_effects,
)
# By the name of their button.
BUTTONS = {"approve_one": why_not_approve, "remove_one": why_not_remove, "restore_one": why_not_restore}
