"""Find pictures of the product: declared ones, then those in the sections of the home page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple
from urllib.parse import parse_qs

from lxml import etree

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document.addresses import absolute, same_site
from apps.drafts.extraction.document.document import Document, selector_of, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, strings
from apps.drafts.extraction.page.read_page import Entry, Find, ReadPage, finds_of
from apps.drafts.extraction.site.site_files import SiteFile, pictures_in
from apps.drafts.extraction.text.cleaning import weight_of

MAX_SCREENSHOTS = 6
MAX_ADDRESS = 500
MAX_PICTURES = 400
MAX_CLIMB = 4
MAX_ABOVE = 12
MIN_WIDTH = 400
_OF_PHOTOS = 0.55
MIN_HEIGHT = 200
MIN_LARGE = 800
MIN_ROW_WORDS = 3
# A card of a post has its picture, and maybe that of its author.
MAX_CARD = 200
MAX_CARD_PICTURES = 2
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
# Classes, folders and names of files. In a text, a product may be about any of these words.
_SHOWS_OTHERS = re.compile(
    r"(?<!cata)(?<!dia)(?<!pro)(?<!epi)logo|icon|avatar|portrait|headshot|founder|team(?![a-z])|testimonial|badge|award|sponsor|author|emoji"
    r"|appstore|app-store|google-?play|placeholder|pixel|(?<![a-z])tracking|sprite|blur(?:red)?-?bg"
    r"|(?<!bg-)background(?!-colou?r)|(?<![a-z])bg-?(?:media|layers?|image)|pattern"
    r"|illust(?:ration|[-_])|mascot|portfolio|/work/|wall[- ]of[- ]love|diagram|infographic|bench(?:mark)?s?(?![a-z])"
    r"|(?<![a-z])(?:crest|seal|certifi|soc-?2|gdpr|iso-?\d{4,5}|qr(?![a-z])|photos?|fotos?|selfie"
    r"|unsplash|pexels|pravatar|gravatar|trusted|decor(?:ation|ative)?|gradient|arrow|checkmark)",
    re.IGNORECASE,
)
# In a text: what kind of picture it is, what it grants, or the scene of a photograph.
_TELLS_OTHERS = re.compile(
    r"(?<![^\W\d_])(?:logo(?:type)?|icon|avatar|portrait|headshot|mascot|emoji|badge|diagram\w*|infographic|illustration"
    r"|ilustra\w+|illustrazione|qr[- ]?code|selfie|signature|play|photos?|fotos?)s?$"
    r"|(?<![^\W\d_])(?:logo|icon|portrait|illustration|diagram|flag|badge|(?:bar|line|pie|comparison) chart"
    r"|photo(?:graph)?|foto|picture) (?:of|by|from|for|von|vom|de|di|du|d['’]|van|av|af)\b"
    r"|^(?:logo|diagram|illustration|scan|watch the)\b|(?<![a-z])(?:awards?|high performer|best (?:value|support)"
    r"|money-?back|gdpr|iso[ -]?\d{4,5}|soc ?2|compliant|certified|(?:available|download|get it) (?:on|in|for|from)"
    r"|visa(?: and|,)|unsplash|architecture of|how it works|newsletter|webinar|podcast|e-?book)(?![a-z])"
    r"|^(?:(?:our|the|meet the|unser|notre|nuestro|nosso|ons|vårt) )?(?:team|office|story)(?: (?:at|on|in)\b.*)?$"
    r"|^(?:(?:official )?selection|selected|finalist|winner|nominee|nominated|shortlisted|honou?rable mention)"
    r"(?:\s*[,:–-]|\s(?:of|at|by|for)\b|\s\d{4})|coat of arms"
    r"|^(?:(?:stadt)?wappen|blason d|escudo d|bras[aã]o d|stemma d|herb (?:gminy|miasta)|znak (?:obce|města))"
    r"|イラスト|ロゴ|アイコン|の写真|插图|插画"
    r"|^(?:an?|the|one|two|three|some|young|happy|smiling) (?:\w+ ){0,2}(?:m[ae]n|wom[ae]n|child(?:ren)?"
    r"|bab(?:y|ies)|girl|boy|couple|family|crowd|choir|dog|cat)\b"
    r"|\b(?:smiling|sitting|standing|walking|singing|sleeping|laughing|wearing|working (?:at|on|together))\b"
    r"|\w (?:using|holding|typing|drinking|behind|in front of) (?:an?|the|her|his|their)\b"
    r"|\b(?:at|on|in|by) (?:(?:an?|the|her|his|their) )?(?:\w+ ){0,2}"
    r"(?:dusk|dawn|night|sunset|desk|table|shelf|beach|garage|workshop|warehouse|kitchen|office|forest|street|café)$"
    r"|\b(?:am schreibtisch|im büro|in der werkstatt|kolleg(?:en|innen)|devant (?:son|sa|leur|une?)|au bureau|(?:une?"
    r"|deux|trois|das|dos|duas|due|twee|zwei) (?:hommes?|femmes?|personnes?|personas?|pessoas|persone|mensen))\b",
    re.IGNORECASE,
)
# What no text makes a picture of the product, as a part of a file's name.
_FILED_AS_ART = re.compile(
    r"(?<![a-z])(?:laurels?|(?:title|key|box|cover|promo)[-_]?art|coat[-_]of[-_]arms)(?![a-z])", re.IGNORECASE
)
_FILED_AS_SHOT = re.compile(r"(?<![a-z])(?:screen[-_]?)?shots?(?![a-z])", re.IGNORECASE)
_THUMBNAIL = re.compile(r"thumb(?:nail)?s?", re.IGNORECASE)
# Customers and what else a product can be about: in a text, only a few phrases tell that the picture shows no screen.
_NAMED_CUSTOMERS = re.compile(
    r"customer|clients?(?![a-z])|client(?:es|i|s)|partner|payment|(?:^|[/\s])(?:kunden?|kunder|klant(?:en)?|klien(?:t|ci)"
    r"|carriers?|couriers?|corrier[ei]|transporteurs?)[-_/]",
    re.IGNORECASE,
)
_SHOWS_CUSTOMERS = re.compile(
    r"(?:(?:customer|client|partner)s?['’]? logos?"
    r"|(?:^|,\s)(?:a|our|one of our|happy)\s(?:customer|client|partner)|(?:customer|client|partner)s? of ours"
    r"|^(?:customer|client|partner|payment)s?(?: method)?s?(?: \d+)?$)",
    re.IGNORECASE,
)
# Names of classes and folders. In a text or a file's own name, each can be a part of the product.
_NAMED_OTHERS = re.compile(
    r"(?<![a-z])(?:flags?(?:-icon|-[a-z]{2})?(?![a-z-])|people|stock|office|press|blog|posts?(?!-content)|news|thumb(?:nail)?|cover|integrations?"
    r"|brands?|company|companies|case-?stud|stor(?:y|ies)|reviews?|quotes?|shape|industr(?:y|ies)|segment[eio]?s?"
    r"|professions?|m[ée]tiers?|branchen?|br[aä]nsch(?:er)?|bransjer?|rubros|giros|yrker?|berufe|audiences?|lifestyle"
    r"|journal|collage|header-image|featured-image|post-image)(?![a-z])",
    re.IGNORECASE,
)
# How such files begin or end, and decorations.
_FILED_OTHERS = re.compile(
    r"(?<![a-z])(?:bg|web-?store|signature|trophy|blobs?|glow|waves?|noise|shapes?|ellipse|lines|promo|map|webinar"
    r"|podcast|ebook|newsletter)(?![a-z])|"
    r"(?:^|[/\s_])(?:blog|post|news|press|story|stories|lifestyle|stock|office|customer|case(?:-?study)?|cover|brand|flag)[-_]"
    r"|[-_](?:cover|thumb(?:nail)?|lifestyle)\.\w{3,4}(?:$|\s)",
    re.IGNORECASE,
)
# Services of portraits, stock photos and badges.
_OTHER_HOSTS = re.compile(r"avatar|unsplash|pexels|pixabay|shields\.io|badge|producthunt|capterra|trustpilot")
_NO_SHOT = re.compile(
    r"\.(?:svg|ico|mp4|webm|mov)(?:$|\?)|(?<![a-z])(?:logo|favicon|icon|avatar)(?![a-z])", re.IGNORECASE
)
_SQUARE = 0.05
_FILE_WORD = re.compile(r"(?<![.a-z])[a-z]{3,}(?=[-_+.%])", re.IGNORECASE)
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
# Headings of sections about whom a product is for, what they say or make, and what else it works with.
_OF_OTHERS = re.compile(
    r"(?<![a-z])(?:who (?:uses|is it for|it.?s for|we)|(?:loved|trusted|used) by|(?:stores|shops|people|teams)"
    r" (?:that|who|on)|(?:made|built|designed) (?:for|by) (?:people|teams|every)|from (?:the|our) (?:journal|blog)"
    r"|made in |(?:made|taken|shot|captured|drawn|created) with |works? with|before (?:and|&) after|as seen|featured in"
    r"|für wen|wer nutzt|für (?:alle|jede)|vertrauen|pour (?:qui|tous)|font confiance|para (?:qui[eé]n|quem|tu tipo"
    r"|todos)|confían en|confiam|per chi|voor wie|dla kogo|zaufali|hvem (?:bruger|bruker)|(?:för|for) (?:vem|hvem)"
    r"|vorher (?:und )?nachher|avant[ /-]+après|antes y después)"
    r"|^(?:our |the |unsere? |nos |nuestr[oa]s |noss[oa]s |i nostri |onze |våra )?(?:integration\w*|intégrations"
    r"|partners?|partenaires|parceiros|socios|customers?|clients?|clientes|clienti|kunden|klanten|sponsors?"
    r"|presse?|team|blog|news|aktuelles|testimonials?|reviews?|integrazioni|integraciones|integrações|integracje)$",
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


class _Words(NamedTuple):
    """What is written about a picture: its texts, the names of its classes and folders, of its files, and around it.

    A picture is described if one of its texts has several words that aren't a name.
    """

    told: tuple[str, ...]
    names: str
    files: str
    frame: str
    is_described: bool

    @property
    def is_called(self) -> bool:
        """Whether they call it a picture of the product."""
        return any(map(_SHOWS_PRODUCT.search, (*self.told, self.names, self.files, self.frame)))

    @property
    def says_screen(self) -> bool:
        """Whether they name a part of a screen."""
        return any(map(_SAYS_SCREEN.search, (*self.told, self.names, self.files)))

    @property
    def tells_screen(self) -> bool:
        """Whether its text alone does that, or calls it a picture of the product."""
        return any(words.search(text) for text in self.told for words in (_SHOWS_PRODUCT, _SAYS_SCREEN))

    @property
    def are_of_others(self) -> bool:
        """Whether they say that the picture shows no product. A file's name counts if no text says more."""
        if any(map(_SHOWS_CUSTOMERS.search, self.told)):
            return True
        if _FILED_AS_ART.search(self.files):
            return True
        is_shot = self.tells_screen or _FILED_AS_SHOT.search(self.files)
        if not is_shot and any(map(_TELLS_OTHERS.search, self.told)):
            return True
        names = self.names if self.is_described else f"{self.names} {self.files}"
        return any(words.search(names) for words in (_SHOWS_OTHERS, _NAMED_CUSTOMERS))

    @property
    def are_beside_others(self) -> bool:
        """Whether words that also occur around pictures of the product speak against it."""
        around = any(words.search(self.frame) for words in (_SHOWS_OTHERS, _NAMED_CUSTOMERS))
        is_filed = not self.is_described and _FILED_OTHERS.search(self.files)
        is_person = any(map(_PERSON.match, self.told))
        return bool(around or is_filed or is_person or _NAMED_OTHERS.search(f"{self.names} {self.frame}"))


def _words_of(element: etree._Element) -> _Words:
    sources = (*(element.get(name) or "" for name in _SOURCES), _background_of(element))
    paths = [_picture_of(source).partition("?")[0][:300] for source in sources if not source.startswith("data:")]
    texts = [text for name in ("alt", "title", "aria-label") if (text := (element.get(name) or "")[:300])]
    names = [(element.get(name) or "")[:300] for name in ("class", "id")]
    folders = [f"{folder}/" for path in paths if (folder := path.rpartition("/")[0])]
    files = " ".join(path.rpartition("/")[2] for path in paths)
    told = tuple(_DETAILS.sub("", text) for text in texts)
    return _Words(told, " ".join((*names, *folders)), files, _frame_of(element), any(map(_describes, texts)))


def _describes(text: str) -> bool:
    """Return whether a text has several words that aren't a name."""
    return (len(text.split()) > 1 or weight_of(text) > 2 * len(text)) and not _PERSON.match(text)


def _shown(document: Document, page: ReadPage, *, is_home: bool) -> Iterator[Find]:
    elements = islice(document.root.iter("img", "video", *_BLANK), MAX_BLANK)
    for element in islice(filter(_is_picture, elements), MAX_PICTURES):
        words = _words_of(element)
        # A video that loops is a picture that moves. Other videos show people and title cards first.
        is_film = element.tag == "video" and element.get("loop") is None
        if is_film or words.are_of_others or _is_aside(element, document):
            continue
        is_elsewhere = words.are_beside_others or _is_linked(element) or _is_of_post(element) or _is_in_row(element)
        if not words.is_called and (not is_home or is_elsewhere):
            continue
        if not (words.is_called or words.tells_screen) and _OF_OTHERS.search(_heading_beside(element)):
            continue
        opened = _opened_by(element, document)
        address, width = (opened, 0) if opened else _largest(element, document)
        is_fit = address and not _is_no_shot(address) and (opened or not _is_small(element, width))
        if is_fit and not _OTHER_HOSTS.search(host_of(address)):
            is_clear = words.says_screen or (_is_substantial(element, width, words) and not _is_photo(element, address))
            confidence = 0.75 if words.is_called else 0.65 if is_clear else _OF_PHOTOS
            yield Find(address, page, "dom", selector_of(element), snippet_of(element), confidence)


def _is_photo(element: etree._Element, address: str) -> bool:
    sources = (address, *(element.get(name) or "" for name in _SOURCES))
    return element.tag != "video" and any(map(_PHOTO_FILE.search, sources))


def _is_substantial(element: etree._Element, width: int, words: _Words) -> bool:
    """Return whether a picture has a text or is large, and no square, as portraits and decorations are."""
    wide, high = _stated_size(element)
    if wide and abs(wide - high) < wide * _SQUARE:
        return False
    is_named = len(_FILE_WORD.findall(words.files)) > 1
    is_large = max(wide, width) >= MIN_LARGE or high > wide or element.tag == "video"
    return bool(words.told) or is_named or is_large


def _is_of_post(element: etree._Element) -> bool:
    """Return whether a picture is part of a card that leads to a post: it has a date, or its heading is a link."""
    for parent in islice(element.iterancestors(), MAX_CLIMB):
        inside = list(islice(parent.iter(), MAX_CARD + 1))
        pictures = sum(one.tag == "img" for one in inside)
        if parent.tag in ("main", "body", "section") or pictures > MAX_CARD_PICTURES or len(inside) > MAX_CARD:
            break
        if any(one.tag == "time" for one in inside):
            return True
        heading = next((one for one in inside if one.tag in ("h2", "h3", "h4", "h5")), None)
        if heading is not None:
            link = next(heading.iter("a"), None)
            return link is not None and not (link.get("href") or "#").startswith("#")
    return False


def _is_in_row(element: etree._Element) -> bool:
    """Return whether a picture is one of several in a row without texts of their own, as the logos of others are."""
    wide, high = _stated_size(element)
    if wide >= MIN_WIDTH or high > wide:
        return False
    for one in (element, *islice(element.iterancestors(), 2)):
        parent = one.getparent()
        if parent is None or text_of(one, limit=1):
            return False
        row = [picture for each in islice(parent, MAX_CLIMB * 4) if (picture := _only_picture(each)) is not None]
        if len(row) > 2:
            return all(len((picture.get("alt") or "").split()) < MIN_ROW_WORDS for picture in row)
    return False


def _only_picture(element: etree._Element) -> etree._Element | None:
    pictures = [element] if element.tag == "img" else list(islice(element.iter("img"), 2))
    return pictures[0] if len(pictures) == 1 and not text_of(element, limit=1) else None


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
    address = _linked_from(element)
    return bool(address) and not address.startswith("#") and not _PICTURE_FILE.search(address.split("?")[0])


def _linked_from(element: etree._Element) -> str:
    link = next((parent for parent in islice(element.iterancestors(), MAX_CLIMB) if parent.tag == "a"), None)
    return (link.get("href") or "") if link is not None else ""


def _opened_by(element: etree._Element, document: Document) -> str:
    """Return the URL of the large picture that a small one opens, or an empty text."""
    address = _linked_from(element)
    is_picture = _PICTURE_FILE.search(address.split("?")[0]) is not None
    return (absolute(address, document.base) or "") if is_picture else ""


def _frame_of(element: etree._Element) -> str:
    """Return the class names around a picture, and its caption."""
    words: list[str] = []
    for parent in islice(element.iterancestors(), MAX_CLIMB):
        if parent.tag in ("body", "main", "html"):
            break
        words.extend((parent.get(name) or "")[:200] for name in _AROUND)
        if parent.tag == "figure" and (caption := parent.find("figcaption")) is not None:
            words.append(text_of(caption, limit=200))
    # What opens a large picture is one of a gallery.
    is_gallery = _PICTURE_FILE.search(_linked_from(element).split("?")[0])
    return _THUMBNAIL.sub("", " ".join(words)) if is_gallery else " ".join(words)


def _heading_beside(element: etree._Element) -> str:
    """Return the last heading before a picture in the closest element that has one, or else the first after it."""
    for parent in islice(element.iterancestors(), MAX_CLIMB + 2):
        heading, is_after = None, False
        for one in islice(parent.iter("h1", "h2", "h3", element.tag), MAX_PICTURES):
            if one is element:
                is_after = True
            elif one.tag != element.tag:
                heading = one if heading is None or not is_after else heading
            if is_after and heading is not None:
                return text_of(heading, limit=100)
    return ""


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


def _stated_size(element: etree._Element) -> tuple[int, int]:
    """Return the width and height that a picture states, or 0."""
    wide, high = (_NUMBER.match(element.get(name) or "") for name in ("width", "height"))
    return int(wide[1]) if wide else 0, int(high[1]) if high else 0


def _is_small(element: etree._Element, width: int) -> bool:
    stated, high = _stated_size(element)
    wide = stated or width
    if wide >= MIN_PHONE_WIDTH and high >= wide * PHONE_RATIO:
        return False
    return 0 < max(wide, width) < MIN_WIDTH or 0 < high < MIN_HEIGHT
