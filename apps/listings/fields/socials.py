"""Recognize the platform and profile in a URL, in canonical form.

Share and intent links, bare hosts, single posts, searches and sign-in pages are not profiles.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import parse_qs, unquote

from apps.core.api.patterns import HTTPS_ADDRESS
from apps.core.web.urls import host_of, parts_of


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RESERVED = {
    "x": _words("""
        share intent home search hashtag i login signup explore settings privacy tos about messages
        notifications compose download jobs oauth widgets account
    """),
    "github": _words("""
        about features pricing login join signup marketplace sponsors topics collections trending explore
        settings apps enterprise security customer-stories readme contact site search new notifications
        issues pulls codespaces team events resources solutions copilot account sessions organizations
        users git-guides mobile nonprofit
    """),
    "gitlab": _words("explore users help dashboard search api admin projects -"),
    "youtube": _words("""
        watch embed playlist results shorts feed live about ads t howyoutubeworks creators account redirect
        premium gaming hashtag post v signin iframe_api yt s api clip subscription_center
    """),
    "instagram": _words("""
        p reel reels explore accounts stories tv about developer direct share web legal privacy sharer
    """),
    "facebook": _words("""
        sharer sharer.php share share.php dialog plugins login login.php events watch hashtag tr photo
        photos photo.php story.php permalink.php l.php policies help privacy ads business settings
        marketplace gaming messages legal terms about home.php video videos reel stories public media
        sharer.html recover r.php profile.php
    """),
    "discord": _words("""
        login register download nitro developers safety blog app channels invite servers terms privacy
        company jobs
    """),
    "medium": _words("""
        p m tag tags search about me new-story membership plans creators jobs-at-medium policy help signin
        topic topics business feed media
    """),
    "telegram": _words("""
        share joinchat addstickers addlist proxy socks setlanguage iv login bg addtheme invoice s
    """),
    "slack": _words("www app api join status my hooks files slack-redir docs"),
}

PLATFORMS = (
    *(
        "x",
        "linkedin",
        "github",
        "gitlab",
        "youtube",
        "instagram",
        "facebook",
        "tiktok",
        "threads",
        "bluesky",
    ),
    *(
        "mastodon",
        "discord",
        "slack",
        "telegram",
        "reddit",
        "producthunt",
        "crunchbase",
        "medium",
        "substack",
        "rss",
    ),
)


@dataclass(frozen=True)
class Profile:
    """A profile's platform, the name it has there, and its URL."""

    platform: str
    name: str
    address: str


Reader: TypeAlias = Callable[[str, list[str], str], "tuple[str, str] | None"]

_HANDLE = re.compile(r"^[\w.-]{1,100}$")
_HOSTS = {
    "x.com": "x",
    "twitter.com": "x",
    "linkedin.com": "linkedin",
    "github.com": "github",
    "gitlab.com": "gitlab",
    "youtube.com": "youtube",
    "instagram.com": "instagram",
    "facebook.com": "facebook",
    "fb.com": "facebook",
    "tiktok.com": "tiktok",
    "threads.net": "threads",
    "threads.com": "threads",
    "bsky.app": "bluesky",
    "discord.gg": "discord",
    "discord.com": "discord",
    "discordapp.com": "discord",
    "slack.com": "slack",
    "t.me": "telegram",
    "telegram.me": "telegram",
    "reddit.com": "reddit",
    "producthunt.com": "producthunt",
    "crunchbase.com": "crunchbase",
    "medium.com": "medium",
    "substack.com": "substack",
}
_PREFIXES = frozenset({"www", "m", "mobile", "web", "old", "business", "en", "touch", "new"})
# Hosts whose first label is a country or a customer, not a variant of the same site.
_NAMED_HOSTS = frozenset({"slack.com", "medium.com", "substack.com"})


# The shape of links, for programs that check them first. A few that match are not profiles and are refused later.
_NAME = "[A-Za-z0-9_.-]"
_WORD = "[A-Za-z0-9_]"
_PATHS = {
    "x": rf"(?:x|twitter)\.com/{_WORD}{{1,15}}",
    "linkedin": rf"linkedin\.com/(?:company|in|school|showcase|groups)/{_NAME}{{1,100}}",
    "github": r"github\.com/(?:orgs/)?[A-Za-z0-9][A-Za-z0-9-]{0,38}",
    "gitlab": rf"gitlab\.com/{_NAME}{{1,100}}",
    "youtube": rf"youtube\.com/(?:@{_NAME}{{2,60}}|(?:c|user|channel)/{_NAME}{{1,100}}|{_WORD}{{3,60}})",
    "instagram": r"instagram\.com/[A-Za-z0-9_.]{1,30}",
    "facebook": rf"(?:facebook|fb)\.com/(?:groups/)?{_NAME}{{1,100}}",
    "tiktok": rf"tiktok\.com/@{_NAME}{{1,60}}",
    "threads": rf"threads\.(?:net|com)/@{_NAME}{{1,60}}",
    "bluesky": r"bsky\.app/profile/[A-Za-z0-9_.:-]{3,253}",
    "discord": r"discord\.gg/[A-Za-z0-9_-]{2,50}|(?:discord|discordapp)\.com/invite/[A-Za-z0-9_-]{2,50}",
    "telegram": rf"(?:t|telegram)\.me/(?:s/)?\+?{_WORD}{{4,40}}",
    "reddit": r"reddit\.com/(?:r|u|user)/[A-Za-z0-9_-]{2,30}",
    "producthunt": rf"producthunt\.com/products/{_NAME}{{1,100}}",
    "crunchbase": rf"crunchbase\.com/(?:organization|company)/{_NAME}{{1,100}}",
}
_LABELLED = {
    "slack": r"[a-z0-9-]{2,60}\.slack\.com|join\.slack\.com/t/[A-Za-z0-9_~./-]{1,190}",
    "medium": rf"[a-z0-9-]{{1,60}}\.medium\.com|(?:www\.)?medium\.com/@?{_NAME}{{2,60}}",
    "substack": rf"[a-z0-9-]{{1,60}}\.substack\.com|(?:www\.)?substack\.com/@{_NAME}{{1,60}}",
}
_BEHIND = r"/?(?:\?[A-Za-z0-9._~=&%-]*)?"
LINK_PATTERNS = {
    **{
        platform: rf"^https://(?:(?:{'|'.join(sorted(_PREFIXES))})\.)?(?:{path}){_BEHIND}$"
        for platform, path in _PATHS.items()
    },
    **{platform: f"^https://(?:{link}){_BEHIND}$" for platform, link in _LABELLED.items()},
    "mastodon": rf"^https://[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{{2,}}/(?:web/)?(?:@|users/){_NAME}{{1,60}}/?$",
    "rss": HTTPS_ADDRESS,
}


def profile_of(address: str) -> Profile | None:
    """Return the profile that an http(s) URL names, or None.

    Mastodon has no host of its own: use `mastodon_profile`.
    """
    parts = parts_of(address)
    host = host_of(address)
    domain = ".".join(host.split(".")[-2:])
    platform = _HOSTS.get(domain)
    label = host.removesuffix(domain).rstrip(".")
    if platform is None or (label not in _PREFIXES and label and not _may_be_labelled(domain, label)):
        return None
    segments = [unquote(part) for part in parts.path.split("/") if part]
    name_and_address = _READERS[platform](label, segments, parts.query)
    return Profile(platform, *name_and_address) if name_and_address else None


def mastodon_profile(address: str) -> Profile | None:
    """Return the fediverse profile of a URL, assuming that its host is a Mastodon server."""
    parts = parts_of(address)
    host = (parts.hostname or "").lower()
    result = re.fullmatch(r"/(?:web/)?@([\w.-]{1,60})(?:@[\w.-]+)?/?|/users/([\w.-]{1,60})/?", parts.path)
    if result is None or host.removeprefix("www.") in _HOSTS:
        return None
    name = result[1] or result[2]
    return Profile("mastodon", name, f"https://{host}/@{name}")


def _may_be_labelled(domain: str, label: str) -> bool:
    return (
        domain in _NAMED_HOSTS
        or (domain == "linkedin.com" and len(label) == 2)
        or domain == "facebook.com"
        and bool(re.fullmatch(r"[a-z]{2}-[a-z]{2}", label))
    )


def _free(platform: str, name: str) -> bool:
    return bool(_HANDLE.match(name)) and name.lower() not in RESERVED.get(platform, frozenset())


def _x(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    name = path[0].removeprefix("@") if len(path) == 1 else ""
    if not re.fullmatch(r"\w{1,15}", name) or not _free("x", name):
        return None
    return name, f"https://x.com/{name}"


def _linkedin(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    kinds = ("company", "in", "school", "showcase", "groups")
    if len(path) < 2 or path[0].lower() not in kinds or "posts" in path[2:3] or len(path[1]) > 100:
        return None
    if not re.fullmatch(r"[\w&.'-]+", path[1]):
        return None
    return path[1], f"https://www.linkedin.com/{path[0].lower()}/{path[1]}"


def _github(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    if path[:1] == ["orgs"]:
        path = path[1:2]
    if len(path) != 1 or not re.fullmatch(r"[A-Za-z\d](?:[A-Za-z\d-]{0,38})", path[0]) or not _free("github", path[0]):
        return None
    return path[0], f"https://github.com/{path[0]}"


def repository_owner(address: str) -> Profile | None:
    """Return the owner of the GitHub or GitLab repository in a URL."""
    parts = parts_of(address)
    path = [part for part in parts.path.split("/") if part]
    read = _OWNERS.get((parts.hostname or "").removeprefix("www."))
    if read is None or len(path) < 2:
        return None
    owner = read("", path[:1], "")
    return Profile(_HOSTS[(parts.hostname or "").removeprefix("www.")], *owner) if owner else None


def _gitlab(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    if len(path) != 1 or not _free("gitlab", path[0]):
        return None
    return path[0], f"https://gitlab.com/{path[0]}"


_OWNERS: dict[str, Reader] = {"github.com": _github, "gitlab.com": _gitlab}


def _youtube(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    root = "https://www.youtube.com"
    if path and re.fullmatch(r"@[\w.-]{2,60}", path[0]):
        return path[0][1:], f"{root}/{path[0]}"
    if len(path) >= 2 and path[0] in ("c", "user", "channel") and _HANDLE.match(path[1]):
        return path[1], f"{root}/{path[0]}/{path[1]}"
    if len(path) == 1 and _free("youtube", path[0]) and re.fullmatch(r"\w{3,60}", path[0]):
        return path[0], f"{root}/{path[0]}"
    return None


def _instagram(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    if len(path) != 1 or not re.fullmatch(r"[\w.]{1,30}", path[0]) or not _free("instagram", path[0]):
        return None
    return path[0], f"https://www.instagram.com/{path[0]}/"


def _facebook(_: str, path: list[str], query: str) -> tuple[str, str] | None:
    root = "https://www.facebook.com"
    if path == ["profile.php"]:
        number = parse_qs(query).get("id", [""])[0]
        return (number, f"{root}/profile.php?id={number}") if re.fullmatch(r"\d{5,20}", number) else None
    if len(path) == 3 and path[0] in ("pages", "people") and path[2].isdigit():
        return path[1], f"{root}/{path[0]}/{path[1]}/{path[2]}" if _HANDLE.match(path[1]) else f"{root}/{path[2]}"
    if len(path) == 2 and path[0] == "groups" and _HANDLE.match(path[1]):
        return path[1], f"{root}/groups/{path[1]}"
    if len(path) == 1 and _free("facebook", path[0]) and not re.fullmatch(r"v\d+\.\d+", path[0]):
        return path[0], f"{root}/{path[0]}"
    return None


def _at_name(root: str) -> Reader:
    def read(_: str, path: list[str], __: str) -> tuple[str, str] | None:
        result = re.fullmatch(r"@([\w.-]{1,60})", path[0]) if len(path) == 1 else None
        return (result[1], f"{root}/@{result[1]}") if result else None

    return read


def _bluesky(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    if len(path) != 2 or path[0] != "profile" or not re.fullmatch(r"[\w.:-]{3,253}", path[1]):
        return None
    return path[1].removesuffix(".bsky.social"), f"https://bsky.app/profile/{path[1]}"


def _discord(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    code = path[-1] if (len(path) == 1 or (len(path) == 2 and path[0] == "invite")) else ""
    if not re.fullmatch(r"[\w-]{2,50}", code) or not _free("discord", code):
        return None
    return code, f"https://discord.gg/{code}"


def _slack(label: str, path: list[str], __: str) -> tuple[str, str] | None:
    if label == "join" and len(path) >= 2 and path[0] == "t":
        rest = "/".join(path)
        return (path[1], f"https://join.slack.com/{rest}") if re.fullmatch(r"[\w/~.-]{1,200}", rest) else None
    if re.fullmatch(r"[a-z\d-]{2,60}", label) and label not in RESERVED["slack"] and not path:
        return label, f"https://{label}.slack.com/"
    return None


def _telegram(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    if len(path) == 2 and path[0] == "s":
        path = path[1:]
    if len(path) == 1 and re.fullmatch(r"\+?\w{4,40}", path[0]) and _free("telegram", path[0].removeprefix("+")):
        return path[0].removeprefix("+"), f"https://t.me/{path[0]}"
    return None


def _reddit(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    kind = {"r": "r", "user": "user", "u": "user"}.get(path[0]) if len(path) == 2 else None
    if kind is None or not re.fullmatch(r"[\w-]{2,30}", path[1]):
        return None
    return path[1], f"https://www.reddit.com/{kind}/{path[1]}/"


def _producthunt(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    if len(path) >= 2 and path[0] == "products" and _HANDLE.match(path[1]):
        return path[1], f"https://www.producthunt.com/products/{path[1]}"
    return None


def _crunchbase(_: str, path: list[str], __: str) -> tuple[str, str] | None:
    if len(path) >= 2 and path[0] in ("organization", "company") and _HANDLE.match(path[1]):
        return path[1], f"https://www.crunchbase.com/organization/{path[1]}"
    return None


def _medium(label: str, path: list[str], __: str) -> tuple[str, str] | None:
    if label and label not in _PREFIXES:
        return (label, f"https://{label}.medium.com/") if not path and label not in ("help", "policy", "blog") else None
    name = path[0] if len(path) == 1 else ""
    if not re.fullmatch(r"@?[\w.-]{2,60}", name) or not _free("medium", name.removeprefix("@")):
        return None
    return name.removeprefix("@"), f"https://medium.com/{name}"


def _substack(label: str, path: list[str], __: str) -> tuple[str, str] | None:
    if label and label not in (*_PREFIXES, "open", "support", "on", "read"):
        return (label, f"https://{label}.substack.com/") if path in ([], ["about"], ["subscribe"]) else None
    return _at_name("https://substack.com")("", path, "")


_READERS: dict[str, Reader] = {
    "x": _x,
    "linkedin": _linkedin,
    "github": _github,
    "gitlab": _gitlab,
    "youtube": _youtube,
    "instagram": _instagram,
    "facebook": _facebook,
    "tiktok": _at_name("https://www.tiktok.com"),
    "threads": _at_name("https://www.threads.net"),
    "bluesky": _bluesky,
    "discord": _discord,
    "slack": _slack,
    "telegram": _telegram,
    "reddit": _reddit,
    "producthunt": _producthunt,
    "crunchbase": _crunchbase,
    "medium": _medium,
    "substack": _substack,
}
