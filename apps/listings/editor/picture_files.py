"""The form fields that upload a listing's logo and screenshots."""

from collections.abc import Sequence
from typing import Any

from django import forms

from apps.core.editing.forms import TypedForm
from apps.core.pictures.reading import FORMAT_NAMES, MAX_BYTES, MEDIA_TYPES
from apps.listings.fields.serializers import MAX_SCREENSHOTS
from apps.listings.services.pictures.files import MIN_LOGO, MIN_LONG, MIN_SHORT

MEGABYTES = MAX_BYTES // 2**20


class _FilesInput(forms.FileInput):
    allow_multiple_selected = True


class _FileField(forms.FileField):
    """Files as sent. The service reports problems."""

    def clean(self, data: Any, initial: Any = None) -> Any:
        return data


def _file(label: str, widget: forms.FileInput, help_text: str) -> _FileField:
    widget.attrs["accept"] = ",".join(sorted(MEDIA_TYPES))
    return _FileField(label=label, required=False, widget=widget, help_text=help_text)


class PictureFilesForm(TypedForm):
    """A file for the logo, and files for screenshots."""

    logo_file = _file(
        "Upload a logo",
        forms.FileInput(),
        f"{FORMAT_NAMES}, at least {MIN_LOGO} × {MIN_LOGO} pixels, up to {MEGABYTES} MB.",
    )
    screenshot_files = _file(
        "Upload screenshots",
        _FilesInput(attrs={"multiple": True}),
        f"{FORMAT_NAMES}, at least {MIN_LONG} × {MIN_SHORT} pixels, up to {MEGABYTES} MB each.",
    )


def moved(urls: Sequence[str], move: str) -> list[str]:
    """Return the URLs with one moved as a button says, such as `earlier https://…`. The ends stay."""
    direction, _, url = move.partition(" ")
    rest = [one for one in urls if one != url]
    if url in urls:
        rest.insert(max(list(urls).index(url) + (-1 if direction == "earlier" else 1), 0), url)
    return rest


def no_room(count: int, room: int) -> str:
    """Return why `count` more screenshots don't fit where `room` is left."""
    if room <= 0:
        return f"Use up to {MAX_SCREENSHOTS} screenshots. Remove one first."
    return f"Choose up to {room} more. You chose {count}."
