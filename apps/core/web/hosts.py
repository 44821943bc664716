"""International host names: their ASCII form for programs, and their Unicode form for people."""

import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from urllib.parse import urlunsplit

import idna
import orjson
import regex

from apps.core.web.urls import host_of, parts_of

_ACE = "xn--"
_CACHED = 1024
# Scripts that are written together. Source: UTS 39, "Highly Restrictive".
_TOGETHER = tuple(
    frozenset(names.split())
    for names in ("Latin Han Hiragana Katakana Other", "Latin Han Bopomofo", "Latin Han Hangul")
)
_SCRIPTS = tuple(
    (name, regex.compile(rf"\p{{Script={name}}}"))
    for name in (
        *("Latin", "Cyrillic", "Greek", "Han", "Hiragana", "Katakana", "Hangul", "Bopomofo", "Armenian", "Georgian"),
        *("Hebrew", "Arabic", "Thai", "Devanagari", "Cherokee"),
    )
)
# Signs that look like a slash, a dash, a comma or a circle where Latin letters are around them.
_LIKE_SIGNS = regex.compile(r"(?<=[a-z0-9])[ノ丿〳丶ヽヾ一ー〇・]+(?=[a-z0-9])")
# Cyrillic letters that browsers also take for Latin ones.
_LIKE_LATIN = frozenset("һуъьҽпгѡѵ")
# A letter of its own where it is at home, and elsewhere an i without its dot.
_DOTLESS_I, _DOTLESS_I_DOMAINS = "ı", frozenset({"tr", "az"})


def ascii_host(host: str) -> str:
    """Return a host name as DNS knows it: `bücher.example` as `xn--bcher-kva.example`. Raises ValueError."""
    return host if host.isascii() else idna.encode(host, uts46=True).decode("ascii")


@lru_cache(maxsize=_CACHED)
def unicode_host(host: str) -> str:
    """Return a host name in its own script. Labels that are no valid international name stay as they are."""
    return ".".join(map(_unicode_label, host.split("."))) if _ACE in host.lower() else host


@lru_cache(maxsize=_CACHED)
def display_host(host: str) -> str:
    """Return a host name for people, as browsers show it: in its own script, unless it could pass for another name.

    Such a label stays in ASCII, which nobody mistakes for the other.
    """
    if host.isascii() and _ACE not in host.lower():
        return host
    labels = host.split(".")
    decoded = [_unicode_label(label) for label in labels]
    return ".".join(
        _ascii_label(label) if _could_pass_for_another(text, domain=decoded[-1]) else text
        for label, text in zip(labels, decoded, strict=True)
    )


def display_url(url: str) -> str:
    """Return a URL with its host as `display_host` shows it. Anything else than a URL is returned unchanged."""
    if url.isascii() and _ACE not in url.lower():
        return url
    parts = parts_of(url)
    host = parts.hostname or ""
    at = parts.netloc.lower().rfind(host)
    if not host or at < 0:
        return url
    netloc = f"{parts.netloc[:at]}{display_host(host)}{parts.netloc[at + len(host) :]}"
    return urlunsplit(parts._replace(netloc=netloc))


def display_host_of(url: str) -> str:
    """Return the host of a URL for people, without www."""
    return display_host(host_of(url)).removeprefix("www.")


def _ascii_label(label: str) -> str:
    try:
        return ascii_host(label)
    except ValueError:
        return label


def _unicode_label(label: str) -> str:
    if not label.lower().startswith(_ACE):
        return label
    try:
        decoded = idna.decode(label)
        return decoded if idna.encode(decoded).decode() == label.lower() else label
    except idna.IDNAError:
        return label


def _could_pass_for_another(label: str, *, domain: str) -> bool:
    """Return whether a label of a host name looks like one of other letters. `domain` is the host's last label.

    That is so for scripts that are not written together, for Latin look-alikes and marks among Latin letters, and for
    names all of whose letters look like Latin ones, outside of a top-level domain in their own script.
    """
    letters = {char for char in label if not char.isascii()}
    scripts = {_script_of(char) for char in label if char.isalpha()}
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        return True
    if "Latin" in scripts:
        if domain in _DOTLESS_I_DOMAINS:
            letters.discard(_DOTLESS_I)
        has_mark = any(unicodedata.category(char) == "Mn" for char in letters)
        return has_mark or bool(_LIKE_SIGNS.search(label)) or any(_is_like_a_letter(char) for char in letters)
    is_at_home = not scripts.isdisjoint(_script_of(char) for char in domain if not char.isascii())
    return all(char.isascii() or _is_like_a_letter(char) for char in label) and not is_at_home


def _is_like_a_letter(char: str) -> bool:
    return char in _LIKE_LATIN or len(look_alikes().get(char, "")) == 1


@lru_cache(maxsize=4096)
def _script_of(char: str) -> str:
    return next((name for name, pattern in _SCRIPTS if pattern.fullmatch(char)), "Other")


@cache
def look_alikes() -> dict[str, str]:
    """Return the characters that look like an ASCII letter or digit, each with that one. Source: UTS 39."""
    # The package keeps its whole 10 MB table in memory, of which a thousandth is needed.
    table = orjson.loads((files("confusable_homoglyphs") / "confusables.json").read_bytes())
    return {
        char: result
        for char, alike in table.items()
        if not char.isascii()
        for result in [next((one["c"] for one in alike if one["c"].isascii() and one["c"].isalnum()), "")]
        if result
    }
