"""The content of a preview image."""

from dataclasses import astuple, dataclass
from hashlib import sha256

from apps.sites.seo.preview_images.lettering import drawable

WIDTH, HEIGHT = 1200, 630
# Part of every mark: a new number makes everybody fetch the pictures again.
_DRAWING = 3
# More of a text is never on a picture, whose letters are measured one by one.
_MOST_CHARACTERS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The texts and shapes of a picture. Texts are as people wrote them.

    `instead` replaces the title if the typeface lacks its letters. `text` is below the title, and so is `ranked`, the
    first of a leaderboard with their ranks. `name` and `role` are at the foot, beside the photo. `seed` is the
    listing's slug, from which its mark is generated. Without one there is no mark.
    """

    site: str
    hue: int
    label: str = ""
    title: str = ""
    instead: str = ""
    text: str = ""
    ranked: tuple[tuple[int, str], ...] = ()
    name: str = ""
    role: str = ""
    seed: str = ""
    photo_key: str = ""

    @property
    def mark(self) -> str:
        """Differs between pictures that differ."""
        return sha256(repr((_DRAWING, *astuple(self))).encode()).hexdigest()[:16]

    @property
    def shown_title(self) -> str:
        """Return the first of the title and its replacements that can be drawn."""
        return next((text for text in map(shown, (self.title, self.instead, self.site)) if text), "")


def shown(text: str) -> str:
    """As much of a text as a picture has room for at most, as it can be drawn; empty where it cannot."""
    return drawable(text[:_MOST_CHARACTERS])
