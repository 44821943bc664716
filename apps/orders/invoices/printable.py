"""Text as the printed invoice can show it."""

import re
import unicodedata
from typing import Any

# Joiners and variation selectors are only there to build pictures; alone they print as boxes.
_INVISIBLE = {"\u200d", "\ufe0e", "\ufe0f", "\u20e3"}


def printable(value: Any) -> Any:
    """A document without the pictures (emoji) in its texts: no text font has them, and archives forbid gaps.

    The kept document has them still. A text of nothing but pictures stays as it is.
    """
    if isinstance(value, dict):
        return {key: printable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [printable(item) for item in value]
    return _without_pictures(value) if isinstance(value, str) and not value.isascii() else value


def _without_pictures(text: str) -> str:
    kept = "".join(char for char in text if not _is_picture(char))
    return re.sub(" {2,}", " ", kept).strip() or text


def _is_picture(char: str) -> bool:
    if char in _INVISIBLE:
        return True
    return ord(char) > 0xFFFF and unicodedata.category(char) in {"So", "Sk", "Cn", "Co"}
