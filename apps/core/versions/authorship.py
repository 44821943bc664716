"""Describe who made a version and how, for its owner and for site admins.

Owners don't see the names or credentials of site admins and former owners.
"""

from dataclasses import dataclass

from django.contrib.auth.base_user import AbstractBaseUser

from apps.core.versions.models import Author, Version, Via

_ICONS = {Via.KEY: "key", Via.ASSISTANT: "bot", Via.ADMIN: "shield", Via.SYSTEM: "clock"}
_FOR_TEAM = {
    Via.BROWSER: "in the browser",
    Via.KEY: "with the API key “{}”",
    Via.ASSISTANT: "with the assistant “{}”",
    Via.ADMIN: "in the admin",
    Via.SYSTEM: "automatically",
}


@dataclass(frozen=True, slots=True)
class Authorship:
    """`who` starts a sentence that `way` continues. `icon` is the way's icon."""

    who: str
    way: str
    icon: str


def authorship_of(version: Version, *, reader: AbstractBaseUser) -> Authorship:
    """Return who made a version and how, in words for the owner."""
    who = "you" if version.author == reader else author_shown(version, owner=reader)
    return Authorship(who[:1].upper() + who[1:], _way(version, reader), _ICONS.get(Via(version.via), "user"))


def author_shown(version: Version, *, owner: AbstractBaseUser) -> str:
    """Return the author of a version in words for the owner."""
    if version.author is not None and version.author_id == owner.pk and version.via != Via.ADMIN:
        return version.author.name or version.author.email
    if version.via == Via.ADMIN or (version.author is not None and version.author.is_staff):
        return "a site admin"
    return "the system" if version.via == Via.SYSTEM else "an earlier owner"


def credential_shown(version: Version, *, owner: AbstractBaseUser) -> str:
    """Return the key or client by which the owner made a version. Empty for other people's."""
    return version.credential if version.author_id == owner.pk else ""


def way_for_team(by: Version | Author) -> str:
    """Return how something was done as the end of a sentence, for site admins."""
    return _FOR_TEAM[Via(by.via)].format(by.credential)


def _way(version: Version, reader: AbstractBaseUser) -> str:
    credential = credential_shown(version, owner=reader)
    match version.via:
        case Via.BROWSER:
            return "in the browser"
        case Via.KEY:
            return f"with the API key {credential}" if credential else "with an API key"
        case Via.ASSISTANT:
            return f"by {credential or 'an assistant'}"
    return ""
