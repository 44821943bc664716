"""Find where the product runs: declared systems, links to its pages in app stores, and stated requirements."""

import re
from collections.abc import Iterator, Sequence

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document.addresses import domain_label
from apps.drafts.extraction.document.document import selector_of, snippet_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, strings
from apps.drafts.extraction.page.read_page import Entry, Find, ReadPage
from apps.drafts.extraction.text.cleaning import fold

MAX_PLATFORMS = 8
MAX_LINE = 200

# Platforms with the words for them.
_SYSTEMS = {
    "iOS": re.compile(r"\b(?:ios|iphones?|ipados|ipads?)\b", re.IGNORECASE),
    "Android": re.compile(r"\bandroid\b", re.IGNORECASE),
    "macOS": re.compile(r"\b(?:mac ?os(?: x)?|os x|macs?)\b", re.IGNORECASE),
    "Windows": re.compile(r"\bwindows\b", re.IGNORECASE),
    "Linux": re.compile(r"\b(?:linux|ubuntu|debian)\b", re.IGNORECASE),
    "Web": re.compile(r"\b(?:web|browser)\b", re.IGNORECASE),
}
_STORES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("macOS", re.compile(r"^(?:apps|itunes)\.apple\.com/.*(?:mt=12|platform=mac)")),
    ("iOS", re.compile(r"^(?:apps|itunes)\.apple\.com/(?:[a-z]{2}/)?app/|^testflight\.apple\.com/join/")),
    ("Android", re.compile(r"^play\.google\.com/store/apps/details|^f-droid\.org/(?:[a-z]{2}/)?packages/")),
    ("Chrome", re.compile(r"^chromewebstore\.google\.com/detail/|^chrome\.google\.com/webstore/detail/")),
    ("Firefox", re.compile(r"^addons\.mozilla\.org/(?:[a-zA-Z-]+/)?firefox/addon/")),
    ("Edge", re.compile(r"^microsoftedge\.microsoft\.com/addons/detail/")),
    ("Windows", re.compile(r"^apps\.microsoft\.com/|^www\.microsoft\.com/(?:[a-z-]+/)?(?:store|p)/")),
    ("Linux", re.compile(r"^snapcraft\.io/[a-z]|^flathub\.org/(?:[a-z]{2}/)?apps/")),
    ("VS Code", re.compile(r"^marketplace\.visualstudio\.com/items")),
    ("Shopify", re.compile(r"^apps\.shopify\.com/[a-z\d-]+$")),
    ("WordPress", re.compile(r"^(?:[a-z]{2}\.)?wordpress\.org/plugins/[a-z]")),
)
_RUNS_ON = re.compile(
    r"\b(?:requires?|available (?:on|for)|runs on|works on|download for|apps? for|native (?:app )?(?:on|for)|"
    r"verfügbar für|disponible (?:sur|para|en)|disponibile per|beschikbaar voor)\b",
    re.IGNORECASE,
)
_NOT_OURS = frozenset({"quote", "struck", "versus", "notice"})


def find_platforms(pages: Sequence[ReadPage], *, name: str | None) -> list[Entry]:
    """Return platforms such as iOS, Android or Web, each with its source. The first page is the home page."""
    result: dict[str, Find] = {}
    for find in (*_declared(pages[0]), *_linked(pages, name), *_stated(pages[0])):
        result.setdefault(find.value, find)
    return [Entry(platform, [find]) for platform, find in list(result.items())[:MAX_PLATFORMS]]


def _declared(home: ReadPage) -> Iterator[Find]:
    selector = 'script[type="application/ld+json"] operatingSystem'
    for node in home.document.json_ld.of_type(APPLICATION_TYPES):
        for value in strings(node.get("operatingSystem")):
            for platform in _systems_in(value):
                yield Find(platform, home, "json_ld", selector, f'"operatingSystem": "{value[:200]}"', 0.9)


def _systems_in(text: str) -> list[str]:
    places = {platform: result.start() for platform, words in _SYSTEMS.items() if (result := words.search(text))}
    return sorted(places, key=lambda platform: places[platform])


def _linked(pages: Sequence[ReadPage], name: str | None) -> Iterator[Find]:
    """Yield platforms of stores that the site links to with its own name, or with a single address."""
    linked: dict[str, dict[str, Find]] = {}
    for page in pages:
        for address, element in page.document.anchors:
            platform = _platform_of(address)
            if platform:
                find = Find(platform, page, "dom", selector_of(element), snippet_of(element), 0.85)
                linked.setdefault(platform, {}).setdefault(address.split("#")[0], find)
    labels = {label for label in (fold(name or ""), fold(domain_label(pages[0].url))) if label}
    for finds in linked.values():
        own = [find for address, find in finds.items() if any(label in fold(address) for label in labels)]
        if own or len(finds) == 1:
            yield next(iter(own or finds.values()))


def _platform_of(address: str) -> str:
    parts = parts_of(address)
    place = f"{host_of(address)}{parts.path}{'?' if parts.query else ''}{parts.query}"
    return next((platform for platform, store in _STORES if store.search(place)), "")


def _stated(home: ReadPage) -> Iterator[Find]:
    for line in home.lines:
        if len(line.text) <= MAX_LINE and not line.marks & _NOT_OURS and (says := _RUNS_ON.search(line.text)):
            for platform in _systems_in(line.text[says.end() :]):
                yield Find(platform, home, "text", selector_of(line.element), line.text, 0.7)
