"""Rules for a page's picture and its site's logo."""

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlsplit

from lxml import etree

from apps.drafts.extraction.document.addresses import absolute, same_site
from apps.drafts.extraction.document.document import Document
from apps.drafts.extraction.document.json_ld import ORGANIZATION_TYPES, Json
from apps.drafts.extraction.page.candidates import (
    Candidate,
    Precedence,
    from_meta,
    of_element,
    of_json_ld,
    property_values,
    walk,
)

MIN_PICTURE = 100
MAX_PICTURES = 1000
MAX_ABOVE = 12

# A smaller stated size is a browser tab icon.
TAB_PIXELS = 32
# Larger than a tab icon, this shows well in a listing.
SHOWN_PIXELS = 96

_SIZE = re.compile(r"(?<!\d)(\d{2,4})\s*[x×]\s*(\d{2,4})(?!\d)", re.IGNORECASE)
_PICTURE_PROPERTIES = frozenset({"image", "contenturl", "thumbnailurl"})
_PIXELS = re.compile(r"[0-9]{1,6}")
_ICON_RELS = frozenset({"icon", "apple-touch-icon", "apple-touch-icon-precomposed", "fluid-icon", "mask-icon"})
_TOUCH_RELS = frozenset({"apple-touch-icon", "apple-touch-icon-precomposed", "fluid-icon"})
_TILES = (
    *("msapplication-square310x310logo", "msapplication-square150x150logo", "msapplication-tileimage"),
    "msapplication-square70x70logo",
)
_MEDIA_FILE = re.compile(r"\.(?:mp4|m4v|webm|mov|avi|ogv|mp3|m4a|ogg|oga|wav|flac|m3u8|pdf)(?:$|[?#])", re.IGNORECASE)
_LOGO_WORD = re.compile(r"(?<![a-z])logo(?![a-z])", re.IGNORECASE)
_HEADER_WORDS = re.compile(r"(?<![a-z])(?:header|masthead|navbar|topbar|nav)(?![a-z])")
_AROUND = frozenset({"footer", "nav", "aside"})
_SHOWS_SMALL = re.compile(
    r"avatar|portrait|headshot|(?<![a-z])(?:author|founder|social|share|badge|flag|emoji|icons?|testimonial|gravatar)"
    r"(?![a-z])|app-?_?store|google-?_?play",
    re.IGNORECASE,
)
_DRAWING = re.compile(r"\.svg(?:$|\?)", re.IGNORECASE)
_NO_PICTURE = re.compile(
    r"\.(?:mp4|webm|mov)(?:$|\?)|pixel|spacer|blank\.|avatar|sprite|tracking|1x1|icon|(?:piwik|matomo)\.php",
    re.IGNORECASE,
)


def clean_address(value: str, document: Document) -> str | None:
    """Return a valid absolute image URL. Video and audio URLs don't count."""
    address = absolute(value.replace("&amp;", "&"), document.base)
    return None if address is None or _MEDIA_FILE.search(address) else address


def image_itemprop(document: Document) -> Iterator[Candidate]:
    """Yield pictures in microdata: the page's own in its head, then those in its content."""
    result = [(names, element) for names, element in document.itemprops if names & _PICTURE_PROPERTIES]
    for names, element in sorted(result, key=lambda item: (item[1].tag != "meta", "image" not in item[0])):
        if address := _source(element):
            confidence = 0.8 if "image" in names else 0.6
            yield of_element(element, address, source="itemprop", confidence=confidence)


def image_json_ld(document: Document) -> Iterator[Candidate]:
    """Yield the JSON-LD image."""
    for key in ("url", "contentUrl"):
        yield from property_values(document, "image", key=key, confidence=0.8)
    yield from property_values(document, "thumbnailUrl", key="url", confidence=0.6)


def image_link(document: Document) -> Iterator[Candidate]:
    """Yield the picture that a link tag in the head names."""
    for _, address, element in document.links_as("image_src"):
        yield of_element(element, address, confidence=0.7, selector='link[rel="image_src"]')


def image_poster(document: Document) -> Iterator[Candidate]:
    """Yield the poster of a video."""
    for element in document.root.iter("video"):
        if value := element.get("poster"):
            yield of_element(element, value, confidence=0.5)


def image_of_article(document: Document) -> Iterator[Candidate]:
    """Yield the first picture of the main content that is large enough or does not state its size."""
    for path in (".//article//img", ".//main//img", ".//*[@id='content']//img", ".//img"):
        for element in document.root.iterfind(path):
            address = _source(element)
            if address and not _NO_PICTURE.search(address) and not _DRAWING.search(address) and not _is_small(element):
                confidence = 0.5 if path != ".//img" else 0.3
                yield of_element(element, address, confidence=confidence)
                return


def image_shown(document: Document) -> Iterator[Candidate]:
    """On a page without a large picture, yield the first one it shows, even a drawing at its top.

    Skips small pictures, portraits, other companies' logos, and pictures around the content or in lists of links.
    """
    for element in islice(document.root.iterfind(".//img"), MAX_PICTURES):
        address = _source(element)
        if not address or _NO_PICTURE.search(address) or _is_point(element) or _is_small(element):
            continue
        own = " ".join((element.get(name) or "")[:200] for name in ("alt", "class", "id", "src"))
        if not _SHOWS_SMALL.search(own) and not _stands_aside(element, document):
            yield of_element(element, address, confidence=0.2)
            return


def _stands_aside(element: etree._Element, document: Document) -> bool:
    """Return whether a picture is outside the content, in a list of links, or links to another site."""
    is_link = is_in_header = False
    for parent in islice(element.iterancestors(), MAX_ABOVE):
        if parent.tag == "a":
            is_link = True
            address = absolute(parent.get("href"), document.base)
            if address is not None and not same_site(address, document.url):
                return True
        if parent.tag in _AROUND or (parent.tag == "li" and is_link):
            return True
        words = f"{parent.get('class') or ''} {parent.get('id') or ''}"[:200].lower()
        if parent.tag not in ("html", "body") and _SHOWS_SMALL.search(words):
            return True
        if parent.tag in ("article", "main"):
            # The header of the article is part of it.
            return False
        is_in_header = is_in_header or parent.tag == "header"
    return is_in_header


def _source(element: etree._Element) -> str:
    for name in ("content", "src", "data-src", "data-lazy-src", "data-original", "href"):
        value = element.get(name) or ""
        if value and not value.startswith("data:"):
            return value
    return ""


def _is_small(element: etree._Element) -> bool:
    sizes = [int(size) for name in ("width", "height") if _PIXELS.fullmatch(size := element.get(name) or "")]
    return bool(sizes) and min(sizes) < MIN_PICTURE


def _is_point(element: etree._Element) -> bool:
    """Return whether a picture is marked as invisible."""
    return any(element.get(side) in ("0", "1") for side in ("width", "height"))


def logo_itemprop(document: Document) -> Iterator[Candidate]:
    """Yield a logo in microdata."""
    for names, element in document.itemprops:
        if "logo" in names and element.tag in ("meta", "img", "link") and (address := _source(element)):
            yield of_element(element, address, source="itemprop", confidence=0.9)


def logo_json_ld(document: Document) -> Iterator[Candidate]:
    """Yield a JSON-LD logo that is declared square. Others are banners that no listing can show."""
    for path in ("publisher.logo", "brand.logo", "logo"):
        first, *rest = path.split(".")
        for node in document.main_nodes:
            value = walk(document, node.get(first), rest)
            logo = document.json_ld.resolve(value[0] if isinstance(value, list) and value else value)
            if address := _square(logo):
                yield of_json_ld(f"{path}.url", address, confidence=0.85)


def _square(logo: Json) -> str | None:
    if not isinstance(logo, dict):
        return None
    address = logo.get("url") or logo.get("contentUrl")
    width, height = (_pixels(logo.get(side)) for side in ("width", "height"))
    return address if isinstance(address, str) and width and width == height else None


def _pixels(value: Json) -> int:
    """Return a length in pixels from a number, a text with or without its unit, or a quantity."""
    if isinstance(value, dict):
        value = value.get("value")
    result = re.match(r"\s*(\d{1,5})(?:\.0*)?\s*(?:px)?\s*$", str(value), re.IGNORECASE)
    return int(result[1]) if result else 0


def icons(document: Document) -> Iterator[Candidate]:
    """Yield the site's icons: largest first by `sizes` or file name, then those of unknown size."""
    ranked = []
    for rel, address, element in document.links_as(*_ICON_RELS):
        sides = _sides(element.get("sizes") or "") or _sides(address)
        selector = f'link[rel="{(element.get("rel") or "")[:60]}"]'
        ranked.append((_icon_rank(rel, address, sides), rel, sides, address, element, selector))
    for meta in (meta for key in _TILES for meta in document.metas.get(key, ())):
        # A tile whose file name states a size repeats an icon. Nothing is known about other tiles.
        tile = absolute(meta.content, document.base) if ranked else None
        if tile and (sides := _sides(tile)):
            rank = _icon_rank(frozenset(), tile, sides)
            ranked.append((rank, frozenset(), sides, tile, meta.element, meta.selector))
    for _, rel, sides, address, element, selector in sorted(ranked, key=lambda icon: icon[0], reverse=True):
        is_large = min(sides) >= SHOWN_PIXELS if sides else bool(rel & _TOUCH_RELS)
        yield of_element(element, address, confidence=0.7 if is_large else 0.5, selector=selector)


def _sides(text: str) -> tuple[int, int] | None:
    """Return width and height of the largest size in a text."""
    result = [(int(width), int(height)) for width, height in _SIZE.findall(text)]
    return max(result, key=min) if result else None


def _icon_rank(rel: frozenset[str], address: str, sides: tuple[int, int] | None) -> tuple[int, int, int]:
    """Return the sort key of an icon: square first, then stated sizes, then the usual size of its kind.

    Touch icons are large, mask icons are silhouettes, and ICO files are for tabs.
    """
    is_ico = urlsplit(address).path.lower().endswith(".ico")
    if sides is not None and min(sides) >= TAB_PIXELS:
        # Only the largest picture in an ICO file has the stated size, and few programs find it.
        return 2 if sides[0] == sides[1] else 0, min(sides) // 2 if is_ico else min(sides), 0
    if rel & _TOUCH_RELS:
        return 1, 0, 4
    if sides is not None:
        return 1, 0, 3
    return 1, 0, 0 if is_ico else 1 if "mask-icon" in rel else 2


def tiles(document: Document) -> Iterator[Candidate]:
    """Yield desktop tiles, which are often white on a color of their own."""
    yield from from_meta(*_TILES, confidence=0.4)(document)


def logo_of_organization(document: Document) -> Iterator[Candidate]:
    """Yield the organization's logo in JSON-LD, of unknown shape."""
    for node in document.json_ld.of_type(ORGANIZATION_TYPES):
        logo = document.json_ld.resolve(node.get("logo"))
        address = logo.get("url") or logo.get("contentUrl") if isinstance(logo, dict) else logo
        if isinstance(address, str):
            yield of_json_ld("logo", address, confidence=0.6)


def logo_in_header(document: Document) -> Iterator[Candidate]:
    """Yield the site's own logo: a picture called logo in the page's header or in a link to its home page."""
    for element in islice(document.root.iterfind(".//img"), MAX_PICTURES):
        own = " ".join(element.get(name) or "" for name in ("class", "id", "alt", "src"))
        parents = list(islice(element.iterancestors(), MAX_ABOVE))
        above = " ".join(f"{parent.get('class') or ''} {parent.get('id') or ''}" for parent in parents[:3])
        is_called_logo = _LOGO_WORD.search(own) or _LOGO_WORD.search(above)
        if not is_called_logo or not (address := _source(element)):
            continue
        if _leads_home(parents, document) or any(_is_header(parent) for parent in parents):
            yield of_element(element, address, confidence=0.4)
            return


def _leads_home(parents: list[etree._Element], document: Document) -> bool:
    link = next((parent for parent in parents if parent.tag == "a"), None)
    address = absolute(link.get("href"), document.base) if link is not None else None
    return address is not None and same_site(address, document.url) and urlsplit(address).path in ("", "/")


def _is_header(element: etree._Element) -> bool:
    words = f"{element.get('class') or ''} {element.get('id') or ''}".lower()
    return element.tag in ("header", "nav") or bool(_HEADER_WORDS.search(words))


IMAGE = Precedence(
    cleaner=clean_address,
    rules=(
        from_meta("og:image:secure_url", "og:image:url", "og:image", source="og", confidence=0.95),
        from_meta("twitter:image:src", "twitter:image", source="twitter", confidence=0.9),
        image_itemprop,
        image_json_ld,
        image_link,
        from_meta("thumbnail", "image_src", confidence=0.5),
    ),
    fallbacks=(image_poster, image_of_article, image_shown),
)
LOGO = Precedence(
    cleaner=clean_address,
    rules=(
        from_meta("og:logo", source="og", confidence=0.95),
        logo_itemprop,
        logo_json_ld,
        icons,
    ),
    fallbacks=(logo_of_organization, tiles),
)
# A declared logo is a fact. One that the header merely shows is good enough for a draft without one.
OTHER_LOGOS = Precedence(
    cleaner=clean_address,
    rules=(logo_of_organization, logo_in_header),
)
