"""The content of a preview image."""

from dataclasses import astuple, dataclass
from hashlib import sha256

from apps.sites.seo.preview_images.lettering import drawable

WIDTH, HEIGHT = 1200, 630
# Part of every mark. Increase it to make all clients fetch images again.
_DRAWING = 5
# Longer text never fits.
_MOST_CHARACTERS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Texts and shapes of an image, as people wrote them.

    `color` is the site's brand color if it has its own, `logo_key` the folder of its logo. `instead` replaces the
    title if no font has its letters. `text` and `ranked` are below the title. `ranked` is the top of a leaderboard:
    rank, name, and a slug instead of a name that no font has. `name` and `role` are in the footer beside the photo.
    `seed` is the listing's slug, from which its mark is generated. Without one there is no mark. `address` is the
    page's URL without scheme. It is drawn whole, and differs where names look the same, such as long names that are
    cut.
    """

    site: str
    hue: int
    color: str = ""
    logo_key: str = ""
    label: str = ""
    title: str = ""
    instead: str = ""
    text: str = ""
    ranked: tuple[tuple[int, str, str], ...] = ()
    name: str = ""
    role: str = ""
    seed: str = ""
    address: str = ""
    photo_key: str = ""

    @property
    def mark(self) -> str:
        """Return a value that differs between different images."""
        return sha256(repr((_DRAWING, *astuple(self))).encode()).hexdigest()[:16]

    @property
    def shown_title(self) -> str:
        """Return the first of the title and its replacements that can be drawn."""
        return next((text for text in map(shown, (self.title, self.instead, self.site)) if text), "")


def shown(text: str) -> str:
    """Return the drawable part of a text, up to the most that fits. Empty if it can't be drawn."""
    return drawable(text[:_MOST_CHARACTERS])
