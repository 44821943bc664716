"""Who made a version and by which way, in the words of the history pages."""

from dataclasses import dataclass

from apps.accounts.models import User
from apps.listings.history import Authored, author_shown, credential_shown
from apps.listings.models import ListingVersion

Via = ListingVersion.Via
_ICONS = {Via.KEY: "key", Via.ASSISTANT: "bot", Via.ADMIN: "shield", Via.SYSTEM: "clock"}


@dataclass(frozen=True, slots=True)
class Trace:
    """`who` begins a sentence that `way` goes on with; `icon` stands for the way."""

    who: str
    way: str
    icon: str


def trace_of(version: Authored, *, reader: User) -> Trace:
    """Who made a version and by what, for its owner who reads it: others are not named, nor what they used."""
    via = Via(version.via)
    return Trace(_who(version, reader), _way(version, reader), _ICONS.get(via, "user"))


def _who(version: Authored, reader: User) -> str:
    shown = "you" if version.author == reader else author_shown(version, owner=reader)
    return shown[:1].upper() + shown[1:]


def _way(version: Authored, reader: User) -> str:
    credential = credential_shown(version, owner=reader)
    match version.via:
        case Via.BROWSER:
            return "in the browser"
        case Via.KEY:
            return f"with the API key {credential}" if credential else "with an API key"
        case Via.ASSISTANT:
            return f"by {credential or 'an assistant'}"
    return ""
