"""Rules for a page's picture and its site's logo."""

import re
from collections.abc import Iterator

from lxml import etree

from apps.drafts.extraction.addresses import absolute
from apps.drafts.extraction.candidates import Candidate, from_meta, of_element, of_json_ld
from apps.drafts.extraction.document import Document
from apps.drafts.extraction.json_ld import Json
from apps.drafts.extraction.schema_types import ORGANIZATION_TYPES
from apps.drafts.extraction.structured import main_nodes, property_values, walk

MIN_PICTURE = 100

_SIZE = re.compile(r"(\d{2,4})x(\d{2,4})")
_PIXELS = re.compile(r"[0-9]{1,6}")
_ICON_RELS = frozenset({"icon", "apple-touch-icon", "apple-touch-icon-precomposed", "fluid-icon"})
_NO_PICTURE = re.compile(
    r"\.(?:mp4|webm|mov)(?:$|\?)|pixel|spacer|blank\.|avatar|sprite|tracking|1x1|\.svg(?:$|\?)|icon",
    re.IGNORECASE,
)


def clean_address(value: str, document: Document) -> str | None:
    """A sound absolute address."""
    return absolute(value.replace("&amp;", "&"), document.base)


def image_itemprop(document: Document) -> Iterator[Candidate]:
    """Pictures marked by microdata."""
    for names, element in document.itemprops:
        if names & {"image", "contenturl", "thumbnailurl"} and (address := _source(element)):
            yield of_element(element, address, source="itemprop", confidence=0.8)


def image_json_ld(document: Document) -> Iterator[Candidate]:
    """What JSON-LD calls image."""
    for key in ("url", "contentUrl"):
        yield from property_values(document, "image", key=key, confidence=0.8)
    yield from property_values(document, "thumbnailUrl", key="url", confidence=0.6)


def image_poster(document: Document) -> Iterator[Candidate]:
    """The picture that stands for a video before it plays."""
    for element in document.root.iter("video"):
        if value := element.get("poster"):
            yield of_element(element, value, confidence=0.5)


def image_of_article(document: Document) -> Iterator[Candidate]:
    """The first picture of the main content that is large enough, or does not say how large it is."""
    for path in (".//article//img", ".//main//img", ".//*[@id='content']//img", ".//img"):
        for element in document.root.iterfind(path):
            address = _source(element)
            if address and not _NO_PICTURE.search(address) and not _is_small(element):
                confidence = 0.5 if path != ".//img" else 0.3
                yield of_element(element, address, confidence=confidence)
                return


def _source(element: etree._Element) -> str:
    for name in ("content", "src", "data-src", "href"):
        value = element.get(name) or ""
        if value and not value.startswith("data:"):
            return value
    return ""


def _is_small(element: etree._Element) -> bool:
    sizes = [int(size) for name in ("width", "height") if _PIXELS.fullmatch(size := element.get(name) or "")]
    return bool(sizes) and min(sizes) < MIN_PICTURE


def logo_itemprop(document: Document) -> Iterator[Candidate]:
    """A logo marked by microdata."""
    for names, element in document.itemprops:
        if "logo" in names and element.tag in ("meta", "img", "link") and (address := _source(element)):
            yield of_element(element, address, source="itemprop", confidence=0.9)


def logo_json_ld(document: Document) -> Iterator[Candidate]:
    """A logo that JSON-LD says is square; others are banners that no listing can show."""
    for path in ("publisher.logo", "brand.logo", "logo"):
        first, *rest = path.split(".")
        for node in main_nodes(document):
            logo = document.json_ld.resolve(walk(document, node.get(first), rest))
            if address := _square(logo):
                yield of_json_ld(f"{path}.url", address, confidence=0.85)


def _square(logo: Json) -> str | None:
    if not isinstance(logo, dict):
        return None
    address = logo.get("url") or logo.get("contentUrl")
    width, height = logo.get("width"), logo.get("height")
    return address if isinstance(address, str) and width and width == height else None


def icons(document: Document) -> Iterator[Candidate]:
    """The site's icons, largest first, as the sizes attribute or the file's name tells."""
    ranked = []
    for rel, address, element in document.links:
        if rel & _ICON_RELS and "mask-icon" not in rel:
            ranked.append((_icon_size(rel, address, element), address, element))
    for size, address, element in sorted(ranked, key=lambda icon: -icon[0]):
        selector = f'link[rel="{(element.get("rel") or "")[:60]}"]'
        yield of_element(element, address, confidence=0.7 if size >= 96 else 0.5, selector=selector)


def _icon_size(rel: frozenset[str], address: str, element: etree._Element) -> int:
    sizes = _SIZE.findall(element.get("sizes") or "") or _SIZE.findall(address)
    if sizes:
        return max(min(int(width), int(height)) for width, height in sizes)
    if address.split("?")[0].endswith(".svg"):
        return 100
    return 120 if any("apple" in word or "fluid" in word for word in rel) else 16


def logo_of_organization(document: Document) -> Iterator[Candidate]:
    """The logo of the organization in JSON-LD, of unknown shape."""
    for node in document.json_ld.of_type(ORGANIZATION_TYPES):
        logo = document.json_ld.resolve(node.get("logo"))
        address = logo.get("url") or logo.get("contentUrl") if isinstance(logo, dict) else logo
        if isinstance(address, str):
            yield of_json_ld("logo", address, confidence=0.6)


def logo_in_header(document: Document) -> Iterator[Candidate]:
    """A picture in the page's header whose name, class or alternative text says logo."""
    for element in document.root.iterfind(".//img"):
        words = " ".join(element.get(name) or "" for name in ("class", "id", "alt", "src")).lower()
        above = " ".join(
            (parent.get("class") or "") for _, parent in zip(range(3), element.iterancestors(), strict=False)
        )
        if ("logo" in words or "logo" in above.lower()) and (address := _source(element)):
            yield of_element(element, address, confidence=0.4)
            return


IMAGE_RULES = (
    from_meta("og:image:secure_url", "og:image:url", "og:image", source="og", confidence=0.95),
    from_meta("twitter:image", "twitter:image:src", source="twitter", confidence=0.9),
    image_itemprop,
    image_json_ld,
    from_meta("thumbnail", "image_src", confidence=0.5),
)
IMAGE_FALLBACKS = (image_poster, image_of_article)
LOGO_RULES = (
    from_meta("og:logo", source="og", confidence=0.95),
    logo_itemprop,
    logo_json_ld,
    icons,
)
LOGO_FALLBACKS = (logo_of_organization, logo_in_header)
