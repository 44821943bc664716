"""A parsed page and the parts that the rules read: meta tags, links, JSON-LD, elements with classes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from lxml import etree

from apps.core.html.visibility import Visibility
from apps.drafts.extraction.document.addresses import absolute, page_key
from apps.drafts.extraction.document.json_ld import CONTENT_TYPES, PAGE_TYPES, JsonLd, Node, load, strings, types_of
from apps.drafts.extraction.text.cleaning import clean, words_of

SNIPPET_CHARACTERS = 300
MAX_METAS = 500
MAX_ANCHORS = 5000
MAX_CLASSED = 20_000
MAX_SCRIPTS = 50
MAX_TEXT_PIECES = 5000

UNSEEN = words_of("script style noscript template svg head title textarea select option")
NEUTRAL = words_of("a abbr b bdi cite code em font i mark s small span strong sub sup time u wbr")


@dataclass(frozen=True)
class Meta:
    """A meta tag with content. `key` is in lower case, `attribute` is the one that held it."""

    attribute: str
    key: str
    content: str
    element: etree._Element

    @property
    def selector(self) -> str:
        """The CSS selector that finds this tag."""
        return f'meta[{self.attribute}="{self.key[:80]}"]'


class Document:
    """Lazy, bounded views of a parsed page, so that a hostile page costs no more than a large one."""

    def __init__(self, root: etree._Element, *, url: str) -> None:
        self.root = root
        self.url = url

    @cached_property
    def base(self) -> str:
        """The URL that relative URLs start from: the base tag, or the page's own URL."""
        for element in self.root.iter("base"):
            if href := element.get("href"):
                return absolute(href, self.url) or self.url
        return self.url

    @cached_property
    def metas(self) -> dict[str, list[Meta]]:
        """Meta tags with content by key, in document order."""
        result: defaultdict[str, list[Meta]] = defaultdict(list)
        for element in islice(self.root.iter("meta"), MAX_METAS):
            content = (element.get("content") or element.get("value") or "").strip()
            if not content:
                continue
            for attribute in ("property", "name", "itemprop", "http-equiv"):
                for key in (element.get(attribute) or "").lower().split()[:4]:
                    result[key].append(Meta(attribute, key, content, element))
        return dict(result)

    @cached_property
    def json_ld(self) -> JsonLd:
        """The page's JSON-LD, from all scripts together."""
        scripts = (
            element.text or ""
            for element in self.root.iter("script")
            if "ld+json" in (element.get("type") or "").lower()
        )
        return load(islice(scripts, MAX_SCRIPTS))

    @cached_property
    def main_nodes(self) -> list[Node]:
        """JSON-LD nodes about the page, best first: content at its URL, other content, the page, the rest."""
        here = page_key(self.url)

        def rank(node: Node) -> int:
            types = types_of(node)
            if types & CONTENT_TYPES:
                return 0 if _address_of(node) == here else 1
            return 2 if types & PAGE_TYPES else 3

        return sorted(self.json_ld.nodes, key=rank)

    @cached_property
    def links(self) -> list[tuple[frozenset[str], str, etree._Element]]:
        """Link tags as (rel words, absolute URL, element)."""
        return list(self._sound_links(self._links))

    def links_as(self, *names: str) -> Iterator[tuple[frozenset[str], str, etree._Element]]:
        """Return the links whose rel contains one of `names`. Most links of a page are style sheets."""
        wanted = frozenset(names)
        return self._sound_links((rel, element) for rel, element in self._links if rel & wanted)

    @cached_property
    def _links(self) -> list[tuple[frozenset[str], etree._Element]]:
        result = islice(self.root.iter("link"), MAX_METAS)
        return [(frozenset((element.get("rel") or "").lower().split()), element) for element in result]

    def _sound_links(
        self, links: Iterable[tuple[frozenset[str], etree._Element]]
    ) -> Iterator[tuple[frozenset[str], str, etree._Element]]:
        for rel, element in links:
            if address := absolute(element.get("href"), self.base):
                yield rel, address, element

    @cached_property
    def anchors(self) -> list[tuple[str, etree._Element]]:
        """Anchors with a valid http(s) URL, in document order."""
        result = []
        for element in islice(self.root.iter("a"), MAX_ANCHORS):
            if address := absolute(element.get("href"), self.base):
                result.append((address, element))
        return result

    @cached_property
    def classed(self) -> list[tuple[str, etree._Element]]:
        """Elements of the body with their class attribute in lower case, in document order."""
        result = islice(self.root.iterfind(".//body//*[@class]"), MAX_CLASSED)
        return [((element.get("class") or "").lower(), element) for element in result]

    @cached_property
    def by_id(self) -> dict[str, etree._Element]:
        """Elements by their id, the first of each."""
        result: dict[str, etree._Element] = {}
        for element in islice(self.root.iterfind(".//*[@id]"), MAX_CLASSED):
            result.setdefault(element.get("id") or "", element)
        return result

    @cached_property
    def itemprops(self) -> list[tuple[frozenset[str], etree._Element]]:
        """Elements with microdata properties in lower case, in document order."""
        result = islice(self.root.iterfind(".//*[@itemprop]"), MAX_CLASSED)
        return [(frozenset((element.get("itemprop") or "").lower().split()), element) for element in result]

    @cached_property
    def items(self) -> list[etree._Element]:
        """Elements that are items of microdata, in document order."""
        return list(islice(self.root.iterfind(".//*[@itemscope]"), MAX_CLASSED))

    @cached_property
    def visibility(self) -> Visibility:
        """What visitors of the page see."""
        return Visibility(self.root)

    def first_text(self, tag: str) -> tuple[str, etree._Element] | None:
        """Return the first visible element of this tag, outside of SVG."""
        for element in self.root.iter(tag):
            if any(parent.tag == "svg" for parent in element.iterancestors()):
                continue
            if text := text_of(element) if tag == "title" else self.shown_text_of(element):
                return text, element
        return None

    def shown_text_of(self, element: etree._Element, *, limit: int = 2000) -> str:
        """Return the text of an element that visitors see without opening anything. Empty for a hidden element."""
        return "" if self.visibility.hides(element) else text_of(element, limit=limit, skip=self.visibility.is_hidden)


def _address_of(node: Node) -> str | None:
    for key in ("url", "mainEntityOfPage", "@id"):
        for value in strings(node.get(key), key="@id"):
            if value.startswith("http"):
                return page_key(value)
    return None


def text_of(element: etree._Element, *, limit: int = 2000, skip: Callable[[etree._Element], bool] | None = None) -> str:
    """Return an element's text on one line, up to about `limit` characters, without elements to `skip`."""
    pieces: list[str] = []
    length = 0
    for piece in islice(_visible(element, skip), MAX_TEXT_PIECES):
        pieces.append(piece)
        # The white space of indented HTML isn't text.
        length += len(piece.strip())
        if length > limit:
            break
    return clean_text("".join(pieces))


def clean_text(value: str) -> str:
    """Clean text whose entities the parser has resolved, so an ampersand or angle bracket is literal."""
    return clean(value.replace("&", "&amp;").replace("<", "&lt;"))


def _visible(element: etree._Element, skip: Callable[[etree._Element], bool] | None) -> Iterator[str]:
    """Yield pieces of text in reading order, with a space at block edges."""
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        edge = "" if node.tag in NEUTRAL else " "
        if event == "end":
            if node is not element:
                yield edge + (node.tail or "")
        elif node is not element and (node.tag in UNSEEN or (skip is not None and skip(node))):
            walk.skip_subtree()
        else:
            yield edge + (node.text or "")


def snippet_of(element: etree._Element) -> str:
    """Return the element's tag and the beginning of its text, at most 300 characters, as evidence."""
    attributes = "".join(f' {name!s}="{value!s:.200}"' for name, value in list(element.items())[:8])
    if element.tag in ("meta", "link", "img", "html", "base"):
        return f"<{element.tag}{attributes}>"[:SNIPPET_CHARACTERS]
    return f"<{element.tag}{attributes[:120]}>{text_of(element, limit=SNIPPET_CHARACTERS)}"[:SNIPPET_CHARACTERS]


def selector_of(element: etree._Element) -> str:
    """A short CSS selector for an element: its tag with its id or first class."""
    if name := element.get("id"):
        return f"{element.tag}#{name[:60]}"
    classes = (element.get("class") or "").split()
    return f"{element.tag}.{classes[0][:60]}" if classes else str(element.tag)
