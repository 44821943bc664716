"""What an edit changed on a listing or its company, as text."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.conf import settings

from apps.core.pictures.storage import PICTURES
from apps.core.templatetags.ui import words
from apps.core.versions import differences
from apps.core.versions.differences import Difference, Row, plain
from apps.listings.fields.labels import label_of

_PICTURES = frozenset({"logo_url", "screenshots"})


def difference(
    name: str,
    before: Any,
    after: Any,
    *,
    titles: Mapping[str, str] | None = None,
    images: Mapping[str, str] | None = None,
) -> Difference:
    """Return the change of one field of a listing or company in a version.

    `titles` are names by entry of a list, such as those of categories by slug, `images` paths of pictures by URL.
    """
    label = label_of(name)
    if name in _PICTURES:
        return _with_images(differences.difference(label, _urls(before), _urls(after)), images or {})
    if name == "milestones":
        return differences.difference(label, _milestone(before), _milestone(after))
    return differences.difference(
        label,
        before,
        after,
        text=partial(text_of, name),
        entry=partial(_entry, titles or {}),
        part_label=lambda key: label_of(f"{name}.{key}"),
    )


def _entry(titles: Mapping[str, str], value: Any) -> differences.Entry:
    if isinstance(value, Mapping) and "question" in value:
        return str(value["question"]), str(value.get("answer", ""))
    return "", titles.get(str(value)) or plain(value)


def _urls(value: Any) -> list[str]:
    return [value] if isinstance(value, str) and value else list(value or ())


def _with_images(change: Difference, images: Mapping[str, str]) -> Difference:
    """Return a difference of URLs with the pictures at them. An upload has no URL that tells people anything."""
    upload = f"{settings.PUBLIC_BASE_URL}/{PICTURES}/"
    rows = [
        Row(
            [
                replace(
                    piece,
                    image=images.get(piece.text, ""),
                    text="Upload" if piece.text.startswith(upload) else piece.text,
                )
                for piece in row.pieces
            ]
        )
        for row in change.rows
    ]
    return replace(change, rows=rows)


def _milestone(value: Any) -> str:
    if not isinstance(value, Mapping):
        return plain(value)
    parts = [f"{value.get('date', '')}: {value.get('title', '')}", value.get("description"), value.get("url")]
    return "\n".join(str(part) for part in parts if part)


def text_of(name: str, value: Any) -> str:
    """Return a field's value as people read it, without its currency."""
    if value in (None, ""):
        return ""
    if name == "price_from_cents" and isinstance(value, int):
        return f"{value / 100:,.2f}"
    if name in {"pricing_model", "status", "plan"}:
        return words(str(value))
    return plain(value)
