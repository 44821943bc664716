"""Saving an editor's form against what others did to the listing since it was opened."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from rest_framework.exceptions import ValidationError

from apps.accounts.actors import Actor
from apps.listings.editor.form_state import State, fields_from, state_of
from apps.listings.editor.merging import merge
from apps.listings.fields.serializers import ListingFieldsSerializer
from apps.listings.models import Listing
from apps.listings.services import editing
from apps.listings.services.editing import Edit
from apps.listings.services.locks import lock_company


class Overtaken(Exception):  # noqa: N818 - named for what happened
    """Fields that both sides changed; `current` is the form as it stands now. Nothing was saved."""

    def __init__(self, names: list[str], current: State) -> None:
        super().__init__(", ".join(names))
        self.names = names
        self.current = current


@transaction.atomic
def save_form(
    *, listing: Listing, opened: Mapping[str, str], typed: State, apply_to: Sequence[str] = (), by: Actor
) -> Edit:
    """Save what the form changed and nothing else.

    `opened` has the marks of what the form was opened with. Raises Overtaken, ValidationError with the
    problems by field, and what `update_my_listing` raises.
    """
    # Locked until the edit is in: an assistant's edit waits, or is seen here.
    locked = lock_company(listing.company_id).listing(listing.pk)
    current = state_of(locked)
    found = merge(opened=opened, typed=typed, current=current)
    if found.conflicts:
        raise Overtaken(found.conflicts, current)
    if not found.changed and not apply_to:
        return Edit(listing=locked, changed=[])
    return editing.update_my_listing(
        listing=locked, fields=_checked(locked, typed, found.changed), apply_to=apply_to, by=by
    )


def _checked(listing: Listing, typed: State, changed: list[str]) -> dict[str, Any]:
    """The changed fields as the API takes them; every problem of the form is told at once."""
    fields, problems = fields_from(typed, changed=changed, socials=listing.company.socials)
    serializer = ListingFieldsSerializer(data=fields)
    if not serializer.is_valid() or problems:
        raise ValidationError({**serializer.errors, **{name: [text] for name, text in problems.items()}})
    values: dict[str, Any] = serializer.validated_data
    return values
