"""Text rules as regular expressions that JSON Schema, Python and browsers read alike."""

from apps.core.text.countries import COUNTRIES

# Invisible characters: spaces, controls, formats, private use, and fillers such as those of Hangul.
_UNSEEN = (
    r"\x00-\x20\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680"
    r"\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ue000-\uf8ff\ufe00-\ufe0f"
    r"\ufeff\uffa0\ufff9-\ufffb"
    # Python and JavaScript escape these in two ways.
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
SEEN = f"[^{_UNSEEN}]"
TEXT = r"^[^\x00]*$"
TEXT_TO_SEE = rf"^[^\x00]*{SEEN}[^\x00]*$"

SLUG = r"^[-a-zA-Z0-9_]+$"
EMAIL = r"^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$"

_LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_HOST = rf"(?:{_LABEL}\.){{1,3}}[A-Za-z](?:[A-Za-z0-9-]{{0,61}}[A-Za-z0-9])?"
_BEHIND_HOST = r"(?:[/?#][^\x00-\x20\\\x7f-\x9f]*)?"
HTTPS_ADDRESS = rf"^https://{_HOST}(?::443)?{_BEHIND_HOST}$"
WEB_ADDRESS = rf"^(?:https?://)?{_HOST}{_BEHIND_HOST}$"


def or_blank(pattern: str) -> str:
    """Return a pattern that also accepts an empty text."""
    return f"^$|{pattern}"


def countries(*more: str) -> str:
    """Return a pattern for every ISO 3166 code and the extra ones."""
    by_letter: dict[str, str] = {}
    for code in sorted({*COUNTRIES, *more}):
        by_letter[code[0]] = by_letter.get(code[0], "") + code[1]
    return f"^(?:{'|'.join(f'{letter}[{seconds}]' for letter, seconds in by_letter.items())})$"
