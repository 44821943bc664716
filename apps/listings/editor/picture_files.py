"""The form fields that upload a listing's logo and screenshots."""

from collections.abc import Callable, Sequence
from typing import Any, Self

from django import forms
from django.conf import settings
from django.http import HttpRequest, JsonResponse

from apps.core.editing.forms import TypedForm
from apps.core.errors import DomainError
from apps.core.pictures.reading import FORMAT_NAMES, MAX_BYTES, MEDIA_TYPES
from apps.listings.fields.serializers import MAX_SCREENSHOTS
from apps.listings.models import ListedPicture
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

    @classmethod
    def too_large(cls) -> Self:
        """Return the form of a request that was refused unread. Which field has the file is not known."""
        form = cls({})
        at_once = settings.MAX_UPLOAD_BYTES // 2**20
        problem = (
            "Nothing was saved. The files are too large. "
            f"Use files of up to {MEGABYTES} MB, and send up to {at_once} MB at a time."
        )
        form.add_error(None, forms.ValidationError(problem, code="too_large"))
        return form


def upload_answer(request: HttpRequest, store: Callable[..., ListedPicture]) -> JsonResponse:
    """Store one file for a script, which adds it to its form. `store` takes its field and data."""
    field, file = request.POST.get("field", ""), request.FILES.get("file")
    if field not in ListedPicture.Field.values or file is None:
        return JsonResponse({"detail": "Choose a file first."}, status=422)
    try:
        stored = store(field=field, data=file.read())
    except DomainError as refusal:
        return JsonResponse({"detail": refusal.detail}, status=refusal.status)
    return JsonResponse({"url": stored.url, "image": stored.thumb_path}, status=201)


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
