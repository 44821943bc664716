"""Split texts into the words to look up, the same way for listings and queries.

PostgreSQL's parser knows neither `C++` and `.NET` nor scripts without spaces, and takes `node.js` for a host name.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from apps.core.api.patterns import SEEN

# Longer words are compared by their beginning.
MAX_WORD = 60
# A compound with more parts, such as a path, has no joined form.
MAX_JOINED = 6
# Shorter words must match completely, because nearly every text has a word that begins with `a`.
MIN_BEGINNING = 3

# Latin letters that are not a base letter with a mark.
_LETTERS = {
    "ı": "i", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th",
    "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T",
}  # fmt: skip
_CONNECTORS = ".-_'&/"
_SAME_AS = {"’": "'", "‘": "'", "ʼ": "'", "\u2010": "-", "\u2011": "-", "\u2044": "/"}
# Marks that people leave out: Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowels, and those that choose
# the look of an emoji or a character. Marks of other scripts, such as the vowels of Devanagari, make different words.
_MARKS = [
    (0x0300, 0x036F), (0x0483, 0x0487), (0x0591, 0x05C7), (0x0610, 0x061A), (0x0640, 0x0640), (0x064B, 0x0670),
    (0x17B4, 0x17B5), (0x180B, 0x180F), (0x20D0, 0x20F0), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF),
]  # fmt: skip
# Thai, Lao, Myanmar, Khmer, kana and Chinese characters, and Korean, whose particles are attached to words.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)

_CHUNK = re.compile(r"\.?[^\s.\-_'&/+#]+(?:[.\-_'&/][^\s.\-_'&/+#]+)*[+#]{0,2}")
_PART = re.compile(r"\.?[^.\-_'&/+#]+")
_PIECE = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_SEEN = re.compile(SEEN)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class _Characters(dict[int, str]):
    """Map each character for str.translate: keep, replace, drop, or make a space."""

    def __missing__(self, code: int) -> str:
        self[code] = result = _searchable(chr(code))
        return result


def _searchable(char: str) -> str:
    if any(first <= ord(char) <= last for first, last in _MARKS):
        return ""
    char = _LETTERS.get(char, _SAME_AS.get(char, char))
    category = unicodedata.category(char[0])
    # Some letters are blank, such as the fillers of Hangul, which people type as spaces.
    if char in _CONNECTORS or char in "+#" or (category[0] in "LNM" and _SEEN.match(char)):
        return char
    # Soft hyphens and joiners are invisible inside of a word.
    return "" if category == "Cf" else " "


_CHARACTERS = _Characters()


@dataclass(frozen=True, slots=True)
class Chunk:
    """The text between spaces and punctuation: a word, or a compound such as `node.js` and `AT&T`.

    `pieces` are its words in order, `dotted` the indexes of those with a dot before them, `sign` the `++` or `#` at its
    end, `humps` the camel-case words inside each piece, such as `open` and `ai` in `OpenAI`.
    """

    pieces: tuple[str, ...]
    dotted: frozenset[int] = frozenset()
    sign: str = ""
    humps: tuple[tuple[str, ...], ...] = ()

    @property
    def joined(self) -> str:
        """The joined form: `nodejs` for `node.js`."""
        return "".join(self.pieces)[:MAX_WORD] + self.sign


def is_unspaced(word: str) -> bool:
    """Return whether a piece is in a script without spaces, so that words can't be split by their look."""
    return bool(_IS_UNSPACED.match(word))


def pairs(word: str) -> list[str]:
    """Return each character of an unspaced piece with the next one. The last stays alone."""
    return [word[index : index + 2] for index in range(len(word))]


def chunks(text: str) -> Iterator[Chunk]:
    """Cut a text into chunks, in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", text).translate(_CHARACTERS)
    return map(_chunk, _CHUNK.findall(unicodedata.normalize("NFC", plain)))


@lru_cache(maxsize=10_000)
def _chunk(raw: str) -> Chunk:
    pieces: list[str] = []
    dotted: set[int] = set()
    humps: list[tuple[str, ...]] = []
    for part in _PART.findall(raw):
        if part[0] == ".":
            dotted.add(len(pieces))
        for piece in _PIECE.findall(part.lstrip(".")):
            pieces.append(_folded(piece))
            humps.append(tuple(_folded(hump) for hump in _HUMP.split(piece)))
    return Chunk(tuple(pieces), frozenset(dotted), raw[len(raw.rstrip("+#")) :], tuple(humps))


def _folded(piece: str) -> str:
    folded = piece.casefold()
    return folded if is_unspaced(folded) else folded[:MAX_WORD]
