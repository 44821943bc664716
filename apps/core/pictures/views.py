"""The public files of logos and screenshots."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.core.pictures.storage import PICTURES, picture_answer


@require_safe
def picture(request: HttpRequest, folder: str, name: str) -> HttpResponse:
    """Serve a file, cached forever."""
    return picture_answer(f"{PICTURES}/{folder}", name)
