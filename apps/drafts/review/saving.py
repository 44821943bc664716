"""Saving and submitting what was reviewed, against what an assistant did to the draft since the page was opened."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from rest_framework.exceptions import ValidationError

from apps.accounts.actors import Actor
from apps.drafts.api.serializers import DraftFieldsSerializer
from apps.drafts.models import Draft
from apps.drafts.review.state import fields_from, state_of
from apps.drafts.services import drafts
from apps.listings.editor.form_state import State
from apps.listings.editor.merging import merge
from apps.listings.editor.saving import Overtaken
from apps.listings.models import Listing


@transaction.atomic
def save_review(*, draft: Draft, opened: Mapping[str, str], typed: State, by: Actor) -> list[str]:
    """Keep what was changed in the form, without submitting it; returns the names of the fields.

    `opened` has the marks of what the form was opened with. Raises Overtaken, ValidationError with the problems by
    field, AlreadySubmitted (409), and what `update_draft` raises.
    """
    held = _held(draft)
    fields = _changed(held, opened, typed)
    if fields or not (held.is_editable or held.status == Draft.Status.SUBMITTED):
        drafts.update_draft(draft=held, fields=fields, by=by)
    return list(fields)


@transaction.atomic
def submit_review(*, draft: Draft, opened: Mapping[str, str], typed: State, by: Actor) -> Listing:
    """Make the draft a listing with what was changed in the form; a second time gives the same listing.

    Raises what `save_review` raises, and what `submit_draft` raises.
    """
    held = _held(draft)
    return drafts.submit_draft(draft=held, fields=_changed(held, opened, typed), by=by)


def _held(draft: Draft) -> Draft:
    """The draft as it stands now, which nobody else changes until this is done."""
    return Draft.objects.select_for_update().get(pk=draft.pk)


def _changed(draft: Draft, opened: Mapping[str, str], typed: State) -> dict[str, Any]:
    """The changed fields as the API takes them; every problem of the form is told at once."""
    current = state_of(draft)
    found = merge(opened=opened, typed=typed, current=current)
    if draft.status == Draft.Status.SUBMITTED and (found.changed or found.conflicts):
        raise drafts.AlreadySubmitted("The draft was submitted before, and stays as it was. Change its listing.")
    if not draft.is_editable:
        return {}
    if found.conflicts:
        raise Overtaken(found.conflicts, current)
    fields, problems = fields_from(typed, changed=found.changed, draft=draft)
    serializer = DraftFieldsSerializer(data=fields)
    if not serializer.is_valid() or problems:
        raise ValidationError({**serializer.errors, **{name: [text] for name, text in problems.items()}})
    values: dict[str, Any] = serializer.validated_data
    return values
