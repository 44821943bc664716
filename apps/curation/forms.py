"""Forms of collections. The services validate them."""

from typing import Any

from django import forms

from apps.comments.services.writing import MAX_LINKS
from apps.core.editing.forms import TypedField, TypedForm, text_area, text_input
from apps.curation.models import MAX_DESCRIPTION, MAX_NAME, MIN_NAME

_PUBLIC = "Public: anyone can see and follow it"


class CollectionForm(TypedForm):
    """The texts of a collection, and who sees it."""

    name = TypedField(
        label="Name", widget=text_input(maxlength=str(MAX_NAME)), help_text=f"{MIN_NAME} to {MAX_NAME} characters."
    )
    description = TypedField(
        label="Description",
        required=False,
        widget=text_area(3),
        help_text=f"Plain text, up to {MAX_DESCRIPTION} characters and {MAX_LINKS} links.",
    )
    is_public = forms.BooleanField(label=_PUBLIC, required=False)


class NewCollectionForm(TypedForm):
    """A collection to create while saving a listing."""

    name = TypedField(label="New collection", required=False, widget=text_input(maxlength=str(MAX_NAME)))
    is_public = forms.BooleanField(label=_PUBLIC, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].help_text = f"{MIN_NAME} to {MAX_NAME} characters."
