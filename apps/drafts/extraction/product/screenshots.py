"""Find pictures of the product: declared ones, then those in the sections of the home page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from urllib.parse import parse_qs

from lxml import etree

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document.addresses import absolute, same_site
from apps.drafts.extraction.document.document import Document, selector_of, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, strings
from apps.drafts.extraction.page.read_page import Entry, Find, ReadPage, finds_of
from apps.drafts.extraction.site.site_files import SiteFile, pictures_in

MAX_SCREENSHOTS = 6
MAX_ADDRESS = 500
MAX_PICTURES = 400
MAX_CLIMB = 4
MAX_ABOVE = 12
MIN_WIDTH = 400
_OF_PHOTOS = 0.55
MIN_HEIGHT = 200
# Screens of phones are narrow and high.
MIN_PHONE_WIDTH = 180
PHONE_RATIO = 1.6

_SHOWS_PRODUCT = re.compile(
    r"screen-?_?\s?(?:shot|cap(?:ture)?|grab)|bildschirmfoto|capture-?_?\s?d[’'e]?-?_?\s?[ée]cran|captura-?_?\s?de-?_?\s?"
    r"(?:pantalla|tela|ecrã)|schermafbeelding|schermata|skärmbild|skärmdump|skjermbilde|skærmbillede|zrzut|скриншот"
    r"|снимок экрана|ekran görüntüsü|スクリーンショット|画面|截图|截圖|스크린샷"
    r"|(?<![a-z])(?:dashboard|app-?_?\s?(?:ui|preview|screen|interface|window)|product-?_?\s?(?:ui|shot|preview|screen)"
    r"|ui-?_?\s?preview)(?![a-z])",
    re.IGNORECASE,
)
_SHOWS_OTHERS = re.compile(
    r"logo|icon|avatar|portrait|headshot|founder|team(?![a-z])|testimonial|badge|award|sponsor|author|flag of|emoji"
    r"|appstore|app-store|google-?play|placeholder|pixel|(?<![a-z])tracking|sprite|blur(?:red)?-?bg"
    r"|background(?!-colou?r)|(?<![a-z])bg-?(?:media|layers?|image)|pattern"
    r"|illustration|mascot|portfolio|/work/|wall[- ]of[- ]love"
    r"|(?<![a-z])(?:crest|seal|certifi|soc-?2|qr(?![a-z])|qr-?code|photos?|fotos?|selfie"
    r"|unsplash|pexels|pravatar|gravatar|trusted|decor(?:ation|ative)?|gradient|arrow|checkmark)",
    re.IGNORECASE,
)
# Customers and what else a product can be about: in a text, only a few phrases tell that the picture shows no screen.
_NAMED_CUSTOMERS = re.compile(
    r"customer|clients?(?![a-z])|client(?:es|i|s)|partner|payment|(?:^|[/\s])(?:kunden?|kunder|klant(?:en)?|klient(?:ci)?"
    r"|carriers?|couriers?|corrier[ei]|transporteurs?)[-_/]",
    re.IGNORECASE,
)
_SHOWS_CUSTOMERS = re.compile(
    r"(?:(?:^|,\s)(?:a|our|one of our|happy)\s(?:customer|client|partner)|(?:customer|client|partner)s? of ours"
    r"|^(?:customer|client|partner|payment)s?(?: method)?s?(?: \d+)?$)",
    re.IGNORECASE,
)
# Names of classes and files. In a text, each can be a part of the product.
_NAMED_OTHERS = re.compile(
    r"(?<![a-z])(?:flags?(?:-icon|-[a-z]{2})?(?![a-z-])|people|stock|office|press|blog|posts?(?!-content)|news|thumb(?:nail)?|cover|integrations?"
    r"|brands?|company|companies|case-?stud|stor(?:y|ies)|reviews?(?!-[a-z]+\.(?:png|gif|webp|avif))|quotes?|shape|industr(?:y|ies)|segment[eio]?s?"
    r"|professions?|m[ée]tiers?|branchen?|br[aä]nsch(?:er)?|bransjer?|rubros|giros|yrker?|berufe|audiences?|lifestyle"
    r"|journal|collage)(?![a-z])",
    re.IGNORECASE,
)
# Services of portraits, stock photos and badges.
_OTHER_HOSTS = re.compile(r"avatar|unsplash|pexels|pixabay|shields\.io|badge|producthunt|capterra|trustpilot")
_NO_SHOT = re.compile(
    r"\.(?:svg|ico|mp4|webm|mov)(?:$|\?)|(?<![a-z])(?:logo|favicon|icon|avatar)(?![a-z])", re.IGNORECASE
)
_PICTURE_FILE = re.compile(r"\.(?:png|jpe?g|webp|avif|gif)$", re.IGNORECASE)
_STATED = ("og:image:width", "og:image:height")
_CARD_RATIO, _CARD_TOLERANCE = 1.91, 0.1
# How pictures for sharing are called.
_CARD = re.compile(
    r"(?<![a-z])(?:ogp?|open-?_?graph|twitter|tw|fb|facebook|social|shar(?:e|ing)|card|meta|seo|preview|partage|compartir"
    r"|compartilhar|teilen|delen|cover|banner|default|thumb(?:nail)?)(?![a-z])|social-?card|og-?image|share-?image",
    re.IGNORECASE,
)
_ASIDE = frozenset({"header", "nav", "footer", "aside", "noscript", "template", "picture-in-picture"})
_SHADE = re.compile(r"[-_.](?:light|dark)(?=[-_.])", re.IGNORECASE)
_SIZE = re.compile(r"[-_]\d{2,4}x\d{2,4}(?=\.\w{3,4}$)|-scaled(?=\.\w{3,4}$)")
_ORIGINAL = ("url", "src", "image")
_NUMBER = re.compile(r"^\s*(\d{1,5})(?:px)?\s*$")
_CANDIDATE = re.compile(r"(\S+)\s+(\d{1,5})w")
_AROUND = ("class", "id", "aria-label", "data-framer-name")
# Photographs are JPEGs. So are some screenshots, whose text or folder says so, or which are all of one format.
_PHOTO_FILE = re.compile(r"\.jpe?g(?![a-z])", re.IGNORECASE)
_SAYS_SCREEN = re.compile(
    r"(?<![a-z])(?:screens?|windows?|editor|interface|panel|sidebar|inbox|settings|timeline|shots|pantallas?|telas?"
    r"|[ée]crans?|bildschirme?|fenster|oberfläche|schermat[ae]|ekrany?|scherm(?:en)?|skjerm(?:er)?|skärm(?:ar)?)(?![a-z])"
    r"|画面",
    re.IGNORECASE,
)
# Headings of sections about whom a product is for, and what they say or make.
_OF_AUDIENCES = re.compile(
    r"(?<![a-z])(?:who (?:uses|is it for|it.?s for|we)|(?:loved|trusted|used) by|(?:stores|shops|people|teams)"
    r" (?:that|who|on)|(?:made|built|designed) (?:for|by) (?:people|teams|every)|from the (?:journal|blog)"
    r"|made in |(?:made|taken|shot|captured|drawn|created) with "
    r"|für wen|wer nutzt|für (?:alle|jede)|pour (?:qui|tous)|para (?:qui[eé]n|quem|tu tipo|todos)"
    r"|per chi|voor wie|dla kogo|hvem (?:bruger|bruker)|(?:för|for) (?:vem|hvem))",
    re.IGNORECASE,
)
# Nothing but two or three capitalized words, a person or a customer, or a name and what the person does.
_PERSON = re.compile(
    r"^(?!(?:The|A|An|My|Der|Die|Das|Le|La|Les|El|Il|O|De|Het)\s)(?:[^\W\d_a-z][^\W\dA-Z_]+\s){1,2}[^\W\d_a-z][^\W\dA-Z_]+$"
    r"|^[^\W\d_a-z][^\W\d_]+(?:\s[^\W\d_]+){0,2},\s(?:the\s)?(?:maker|creator|developer|designer|author|owner|ceo|cto)\b"
)
# What a picture shows comes before these: "Library window with 40 icons".
_DETAILS = re.compile(r"\s(?:with|showing|mit|avec|con|com|met|med)\s.*")
# Where scripts find what they load as visitors scroll.
_LAZY = ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-lazyload", "data-src-retina", "data-image")
_SOURCES = ("src", *_LAZY, "poster")
_BACKGROUND = re.compile(r"background(?:-image)?\s*:[^;]*?url\(\s*['\"]?([^'\")]{1,500})", re.IGNORECASE)
# Elements that styles can make a picture.
_BLANK = ("div", "span", "figure", "a", "section")
MAX_BLANK = 20_000


def find_screenshots(pages: Sequence[ReadPage], files: Sequence[SiteFile] = ()) -> list[Entry]:
    """Return at most 6 image URLs, declared ones first. The first page is the home page.

    Declared ones are an application's screenshots in JSON-LD, microdata and its manifest. Then come the pictures in the
    home page's sections, and on other pages those whose text, URL or surrounding element calls them a picture of the
    product. What may be a photograph counts only without any of these, and the picture for sharing only without any
    other, and unless it is a card or the logo.
    """
    home = pages[0]
    finds = [find for page in pages for find in _declared(page)]
    finds.extend(_in_manifest(files, "screenshots", 0.9))
    for page in pages:
        if len(finds) < MAX_SCREENSHOTS:
            finds.extend(_shown(page.document, page, is_home=page is home))
    sure = [find for find in finds if find.confidence > _OF_PHOTOS]
    has_screens_as_photos = any(_PHOTO_FILE.search(find.value) and find.selector.startswith("img") for find in sure)
    finds = sure if sure and not has_screens_as_photos else finds
    distinct: dict[str, Find] = {}
    for find in finds or _for_sharing(home):
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
            return _SHADE.sub("", original[0])
    path = _SHADE.sub("", _SIZE.sub("", parts.path))
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


def is_drawing(address: str) -> bool:
    """Return whether a URL is that of a format that listings can't show: SVG or ICO."""
    return parts_of(address).path.lower().endswith((".svg", ".ico"))


def find_icons(files: Sequence[SiteFile]) -> list[Find]:
    """Return the icons in the manifest of an app, the largest first."""
    return _in_manifest(files, "icons", 0.5)


def _in_manifest(files: Sequence[SiteFile], key: str, confidence: float) -> list[Find]:
    result = pictures_in(files, key)
    return [Find(address, file, "text", key, f'"src": "{address}"'[:300], confidence) for _, address, file in result]


def _for_sharing(home: ReadPage) -> list[Find]:
    """Return the declared picture of a home page if its name and stated size are not those of a card with a title."""
    logo = home.facts.logo.value if home.facts.logo else ""
    stated = [
        int(result[1])
        for key in _STATED
        for meta in home.document.metas.get(key, ())[:1]
        if (result := _NUMBER.match(meta.content))
    ]
    if len(stated) == 2 and abs(stated[0] / max(stated[1], 1) - _CARD_RATIO) < _CARD_TOLERANCE:
        return []
    pictures = (find for find in finds_of(home.facts.image, home) if find.source in ("og", "twitter"))
    return [
        replace(find, confidence=0.3)
        for find in pictures
        if find.value != logo and not _is_no_shot(find.value) and not _CARD.search(parts_of(find.value).path)
    ]


def _shown(document: Document, page: ReadPage, *, is_home: bool) -> Iterator[Find]:
    elements = islice(document.root.iter("img", "video", *_BLANK), MAX_BLANK)
    for element in islice(filter(_is_picture, elements), MAX_PICTURES):
        sources = (*(element.get(name) or "" for name in _SOURCES), _background_of(element))
        files = " ".join(parts_of(source).path[:300] for source in sources)
        names = " ".join((element.get(name) or "")[:300] for name in ("class", "id"))
        told = [_DETAILS.sub("", (element.get(name) or "")[:300]) for name in ("alt", "title", "aria-label")]
        own = " ".join((*told, names, files))
        frame = _frame_of(element)
        # A video that loops is a picture that moves. Other videos show people and title cards first.
        is_of_customers = _NAMED_CUSTOMERS.search(f"{names} {files}") or any(map(_SHOWS_CUSTOMERS.search, told))
        is_film = element.tag == "video" and element.get("loop") is None
        if is_film or is_of_customers or _SHOWS_OTHERS.search(own) or _is_aside(element, document):
            continue
        is_called = bool(_SHOWS_PRODUCT.search(own) or _SHOWS_PRODUCT.search(frame))
        is_of_others = (
            _SHOWS_OTHERS.search(frame)
            or _NAMED_CUSTOMERS.search(frame)
            or _NAMED_OTHERS.search(f"{names} {files} {frame}")
        )
        is_of_others = is_of_others or _PERSON.match(element.get("alt") or "")
        if not is_called and (not is_home or is_of_others or _is_linked(element)):
            continue
        address, width = _largest(element, document)
        is_fit = address and not _is_no_shot(address) and not _is_small(element, width)
        if is_fit and not _OTHER_HOSTS.search(host_of(address)):
            is_jpeg = element.tag != "video" and _PHOTO_FILE.search(element.get("src") or address) is not None
            is_photo = is_jpeg and not _SAYS_SCREEN.search(own)
            if is_photo and not is_called and _OF_AUDIENCES.search(_heading_above(element)):
                continue
            confidence = 0.75 if is_called else _OF_PHOTOS if is_photo else 0.65
            yield Find(address, page, "dom", selector_of(element), snippet_of(element), confidence)


def _is_picture(element: etree._Element) -> bool:
    """Return whether an element shows a picture. A background counts if there is no text on it and its words say so."""
    if element.tag in ("img", "video"):
        return True
    if not _background_of(element) or text_of(element, limit=1):
        return False
    words = " ".join((element.get(name) or "")[:200] for name in ("class", "id", "aria-label"))
    return element.get("role") == "img" or _SHOWS_PRODUCT.search(words) is not None


def _background_of(element: etree._Element) -> str:
    """Return the URL of the picture in an element's own style, or an empty text."""
    result = _BACKGROUND.search((element.get("style") or "")[:2000]) if element.tag in _BLANK else None
    return result[1].strip() if result and not result[1].startswith("data:") else ""


def _is_no_shot(address: str) -> bool:
    """Return whether a picture's own URL is that of a drawing or an icon, also when a service resizes it."""
    return bool(_NO_SHOT.search(_picture_of(address).rsplit("/", 1)[-1]))


def _is_aside(element: etree._Element, document: Document) -> bool:
    """Return whether a picture is in a menu or footer, or is the card of another website, such as a review badge."""
    for parent in islice(element.iterancestors(), MAX_ABOVE):
        if parent.tag in _ASIDE and not _is_hero(parent):
            return True
        if parent.tag == "a" and (address := absolute(parent.get("href"), document.base)):
            return not same_site(address, document.url)
    return False


def _is_hero(element: etree._Element) -> bool:
    """Return whether a header is the top of the page's content, with its headline, rather than a menu."""
    heading = next(element.iter("h1"), None) if element.tag == "header" else None
    return heading is not None and text_of(heading, limit=1) != ""


def _is_linked(element: etree._Element) -> bool:
    """Return whether a picture leads to another page, as those of posts do, rather than to its own large version."""
    link = next((parent for parent in islice(element.iterancestors(), MAX_CLIMB) if parent.tag == "a"), None)
    address = (link.get("href") or "") if link is not None else ""
    return bool(address) and not address.startswith("#") and not _PICTURE_FILE.search(address.split("?")[0])


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


def _heading_above(element: etree._Element) -> str:
    """Return the heading of the section around a picture, or an empty text."""
    headings = (next(parent.iter("h2"), None) for parent in islice(element.iterancestors(), MAX_CLIMB + 2))
    heading = next((one for one in headings if one is not None), None)
    return text_of(heading, limit=100) if heading is not None else ""


def _largest(element: etree._Element, document: Document) -> tuple[str, int]:
    """Return the URL of a picture's largest version, and its width if stated."""
    sets = [element.get(name) or "" for name in ("srcset", "data-srcset", "data-lazy-srcset")]
    if (parent := element.getparent()) is not None and parent.tag == "picture":
        sets.extend(source.get("srcset") or "" for source in islice(parent.iter("source"), 5))
    offered = [(int(width), raw) for text in sets for raw, width in _CANDIDATE.findall(text[:4000])[:20]]
    for width, raw in sorted(offered, reverse=True):
        if address := absolute(raw.lstrip(","), document.base):
            return address, width
    for name in ("poster",) if element.tag == "video" else (*_LAZY, "src"):
        value = element.get(name) or ""
        is_switch = name in _LAZY and "/" not in value and "." not in value
        if not is_switch and not value.startswith("data:") and value and (address := absolute(value, document.base)):
            return address, 0
    return absolute(_background_of(element), document.base) or "", 0


def _is_small(element: etree._Element, width: int) -> bool:
    stated = {name: _NUMBER.match(element.get(name) or "") for name in ("width", "height")}
    wide = int(result[1]) if (result := stated["width"]) else width
    high = int(result[1]) if (result := stated["height"]) else 0
    if wide >= MIN_PHONE_WIDTH and high >= wide * PHONE_RATIO:
        return False
    return 0 < max(wide, width) < MIN_WIDTH or 0 < high < MIN_HEIGHT
