"""Find pictures of the product: declared ones, then visible ones called so."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from urllib.parse import parse_qs

from lxml import etree

from apps.core.web.urls import parts_of
from apps.drafts.extraction.document.addresses import absolute
from apps.drafts.extraction.document.document import Document, selector_of, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, strings
from apps.drafts.extraction.page.read_page import Entry, Find, ReadPage, finds_of

MAX_SCREENSHOTS = 5
MAX_ADDRESS = 500
MAX_PICTURES = 400
MAX_CLIMB = 4
MIN_WIDTH = 400
MIN_HEIGHT = 200

_SHOWS_PRODUCT = re.compile(
    r"screen-?_?\s?(?:shot|cap(?:ture)?|grab)|bildschirmfoto|capture-?_?\s?d[’'e]?-?_?\s?[ée]cran|captura-?_?\s?de-?_?\s?"
    r"(?:pantalla|tela|ecrã)|schermafbeelding|schermata|skärmbild|skärmdump|skjermbilde|skærmbillede|zrzut|скриншот"
    r"|снимок экрана|ekran görüntüsü|スクリーンショット|画面|截图|截圖|스크린샷"
    r"|(?<![a-z])(?:dashboard|app-?_?\s?(?:ui|preview|screen|interface|window)|product-?_?\s?(?:ui|shot|preview|screen)"
    r"|ui-?_?\s?preview)(?![a-z])",
    re.IGNORECASE,
)
_SHOWS_OTHERS = re.compile(
    r"logo|icon|avatar|portrait|headshot|founder|team(?![a-z])|customer|client|partner|testimonial|badge|award|sponsor"
    r"|author|flag|emoji|payment|appstore|app-store|google-?play|placeholder|pixel|tracking|sprite|blur(?:red)?-?bg"
    r"|background|pattern",
    re.IGNORECASE,
)
_NO_SHOT = re.compile(
    r"\.(?:svg|ico|mp4|webm|mov)(?:$|\?)|(?<![a-z])(?:logo|favicon|icon|avatar)(?![a-z])", re.IGNORECASE
)
_PICTURE_FILE = re.compile(r"\.(?:png|jpe?g|webp|avif|gif)$", re.IGNORECASE)
_SIZE = re.compile(r"[-_]\d{2,4}x\d{2,4}(?=\.\w{3,4}$)|-scaled(?=\.\w{3,4}$)")
_ORIGINAL = ("url", "src", "image")
_NUMBER = re.compile(r"^\s*(\d{1,5})(?:px)?\s*$")
_CANDIDATE = re.compile(r"(\S+)\s+(\d{1,5})w")
_AROUND = ("class", "id", "aria-label")
_OWN = ("alt", "title", "class", "id", "src", "data-src")


def find_screenshots(pages: Sequence[ReadPage]) -> list[Entry]:
    """Return at most 5 image URLs, declared ones first. The first page is the home page.

    Declared ones are an application's screenshots in JSON-LD and microdata, and the sharing picture unless it is the
    logo. Visible ones count only if their text, URL or surrounding element calls them a picture of the product.
    """
    home = pages[0]
    finds = [find for page in pages for find in _declared(page)]
    finds.extend(_for_sharing(home))
    for page in pages:
        if len(finds) < MAX_SCREENSHOTS:
            finds.extend(_shown(page.document, page))
    distinct: dict[str, Find] = {}
    for find in finds:
        if len(find.value) <= MAX_ADDRESS:
            distinct.setdefault(_picture_of(find.value), find)
    return [Entry(find.value, [find]) for find in islice(distinct.values(), MAX_SCREENSHOTS)]


def _picture_of(address: str) -> str:
    """Return what the variants of a picture have in common, so that other sizes, or http, count as the same picture."""
    parts = parts_of(address)
    query = parse_qs(parts.query[:2000], max_num_fields=50) if parts.query.count("&") < 50 else {}
    for key in _ORIGINAL:
        # An image resizing service has the original URL in its own.
        if (original := query.get(key)) and "/" in original[0]:
            return original[0]
    path = _SIZE.sub("", parts.path)
    return f"{parts.netloc}{path}" if _PICTURE_FILE.search(path) else f"{parts.netloc}{path}?{parts.query}"


def _declared(page: ReadPage) -> Iterator[Find]:
    document = page.document
    for node in islice(document.json_ld.of_type(APPLICATION_TYPES), 3):
        for key in ("url", "contentUrl"):
            for value in strings(document.json_ld.resolve(node.get("screenshot")), key=key):
                if address := absolute(value, document.base):
                    selector = 'script[type="application/ld+json"] screenshot'
                    yield Find(address, page, "json_ld", selector, f'"screenshot": "{value}"', 0.9)
    for names, element in document.itemprops:
        address = absolute(element.get("content") or element.get("src") or element.get("href"), document.base)
        if "screenshot" in names and address:
            yield Find(address, page, "itemprop", selector_of(element), snippet_of(element), 0.9)


def _for_sharing(home: ReadPage) -> list[Find]:
    logo = home.facts.logo.value if home.facts.logo else ""
    pictures = (find for find in finds_of(home.facts.image, home) if find.source in ("og", "twitter"))
    return [find for find in pictures if find.value != logo and not _NO_SHOT.search(find.value.rsplit("/", 1)[-1])]


def _shown(document: Document, page: ReadPage) -> Iterator[Find]:
    for element in islice(document.root.iterfind(".//body//img"), MAX_PICTURES):
        own = " ".join((element.get(name) or "")[:300] for name in _OWN)
        if _SHOWS_OTHERS.search(own) or not (_SHOWS_PRODUCT.search(own) or _SHOWS_PRODUCT.search(_frame_of(element))):
            continue
        address, width = _largest(element, document)
        if address and not _NO_SHOT.search(address) and not _is_small(element, width):
            yield Find(address, page, "dom", selector_of(element), snippet_of(element), 0.5)


def _frame_of(element: etree._Element) -> str:
    """Return the class names around a picture, and its caption."""
    words: list[str] = []
    for parent in islice(element.iterancestors(), MAX_CLIMB):
        if parent.tag in ("body", "main", "html"):
            break
        words.extend((parent.get(name) or "")[:200] for name in _AROUND)
        if parent.tag == "figure" and (caption := parent.find("figcaption")) is not None:
            words.append(text_of(caption, limit=200))
    return " ".join(words)


def _largest(element: etree._Element, document: Document) -> tuple[str, int]:
    """Return the URL of a picture's largest version, and its width if stated."""
    sets = [element.get(name) or "" for name in ("srcset", "data-srcset")]
    if (parent := element.getparent()) is not None and parent.tag == "picture":
        sets.extend(source.get("srcset") or "" for source in islice(parent.iter("source"), 5))
    offered = [(int(width), raw) for text in sets for raw, width in _CANDIDATE.findall(text[:4000])[:20]]
    for width, raw in sorted(offered, reverse=True):
        if address := absolute(raw.lstrip(","), document.base):
            return address, width
    for name in ("data-src", "data-lazy-src", "src"):
        value = element.get(name) or ""
        if value and not value.startswith("data:") and (address := absolute(value, document.base)):
            return address, 0
    return "", 0


def _is_small(element: etree._Element, width: int) -> bool:
    stated = {name: _NUMBER.match(element.get(name) or "") for name in ("width", "height")}
    wide = int(found[1]) if (found := stated["width"]) else width
    high = int(found[1]) if (found := stated["height"]) else 0
    return 0 < max(wide, width) < MIN_WIDTH or 0 < high < MIN_HEIGHT
