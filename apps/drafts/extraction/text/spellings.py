"""Tell whether Latin letters spell a name, as host names spell those with other letters: "Krümel" as "kruemel"."""

import re
import unicodedata
from functools import lru_cache

from apps.drafts.extraction.text.cleaning import fold

MAX_LETTERS = 40

# What a letter, or two together, may become. A letter that is not here keeps its base: "ş" becomes "s".
_SPELLINGS = {
    # Latin
    "ä": "ae a", "ö": "oe o", "ü": "ue u", "ß": "ss s sz", "ø": "oe o", "å": "aa a", "æ": "ae a", "œ": "oe o",
    "ł": "l", "đ": "d dj", "ð": "d", "þ": "th t", "ı": "i", "ŋ": "ng n", "ħ": "h", "ə": "e a",
    # Cyrillic
    "а": "a", "б": "b", "в": "v w", "г": "g h", "ґ": "g", "д": "d", "е": "e ye je", "ё": "e yo io jo",
    "є": "ye ie je e", "ж": "zh j z", "з": "z", "и": "i y", "і": "i y", "ї": "yi ji i", "й": "y i j",
    "ий": "iy ij yi ii y i", "ый": "yi yj iy y i", "к": "k c", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p",
    "р": "r", "с": "s", "т": "t", "у": "u ou", "ў": "u w", "ф": "f ph", "х": "kh h x", "ц": "ts tz c", "ч": "ch c",
    "ш": "sh s", "щ": "shch sch sht sh", "ъ": "a", "ы": "y i", "э": "e", "ю": "yu iu ju u", "я": "ya ia ja a",
    "ђ": "dj", "ј": "j y", "љ": "lj", "њ": "nj", "ћ": "c ch", "џ": "dz dzh",
    # Greek
    "α": "a", "αι": "ai e", "β": "v b", "γ": "g y", "γκ": "gk g", "γγ": "gg ng", "δ": "d", "ε": "e", "ει": "ei i",
    "ζ": "z", "η": "i h e", "θ": "th", "ι": "i", "κ": "k c", "λ": "l", "μ": "m", "μπ": "mp b", "ν": "n", "ντ": "nt d",
    "ξ": "x ks", "ο": "o", "οι": "oi i", "ου": "ou u", "π": "p", "ρ": "r", "σ": "s", "τ": "t", "υ": "y u i",
    "φ": "f ph", "χ": "ch h x", "ψ": "ps", "ω": "o w", "αυ": "au av af",
    "αύ": "au av af", "ευ": "eu ev ef", "εύ": "eu ev ef",
}  # fmt: skip
# Letters that are not pronounced, and often not written.
_SILENT = frozenset("ьъ’'")
_PIECES = re.compile(rf"{'|'.join(sorted(_SPELLINGS, key=len, reverse=True))}|.")
_NO_WORD = re.compile(r"[\W_]+")


def spells(latin: str, name: str, *, in_part: bool = False) -> bool:
    """Return whether `latin`, folded, is a usual spelling of a name, or begins with one if `in_part` is set."""
    pieces = _pieces_of(name)
    # Where the letters read so far may end. There are never more places than letters, however many spellings.
    ends = {0} if pieces else set[int]()
    for spellings in pieces:
        ends = {at + len(one) for at in ends for one in spellings if latin.startswith(one, at)}
    return bool(ends) if in_part else len(latin) in ends


@lru_cache(maxsize=1024)
def _pieces_of(name: str) -> list[tuple[str, ...]]:
    """Return the spellings of each letter of a name. Empty for names in ASCII and overlong ones."""
    letters = unicodedata.normalize("NFC", _NO_WORD.sub("", name[: 4 * MAX_LETTERS]).casefold())
    if letters.isascii() or len(letters) > MAX_LETTERS:
        return []
    return [_spellings_of(piece) for piece in _PIECES.findall(letters)]


def _spellings_of(piece: str) -> tuple[str, ...]:
    if piece in _SILENT:
        return ("", _SPELLINGS.get(piece, "y"))
    # "ά" is "α" with an accent, but "й" is not "и" with one.
    base = unicodedata.normalize("NFD", piece)[0]
    return tuple((_SPELLINGS.get(piece) or _SPELLINGS.get(base) or fold(piece) or piece).split())
