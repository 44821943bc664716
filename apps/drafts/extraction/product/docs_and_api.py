"""Find documentation, OpenAPI descriptions, the MCP server and llms.txt."""

import re
from collections.abc import Iterator, Sequence

from lxml import etree

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document.addresses import absolute, domain_label, same_site
from apps.drafts.extraction.document.document import selector_of, snippet_of, text_of
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.site.page_choice import leads_elsewhere
from apps.drafts.extraction.site.page_kinds import kind_of
from apps.drafts.extraction.text.cleaning import fold, words_of

MAX_CODE_ELEMENTS = 500
_OPENAPI = re.compile(
    r"/(?:openapi|swagger|api-docs)[\w.-]*\.(?:json|ya?ml)$|/openapi\.?(?:json|ya?ml)?$", re.IGNORECASE
)
_LLMS = re.compile(r"/llms(?:-full)?\.txt$", re.IGNORECASE)
_ENDPOINT = re.compile(r"https://[\w.-]+(?::\d+)?(?:/[\w./-]*)?", re.ASCII)
_DOCS_WORDS = words_of("""
    docs documentation documents developers developer developerdocs apidocs apidocumentation apireference
    dokumentation documentacion documentacao documentazione dokumentacja документация ドキュメント 文档
""")


def find_docs(pages: Sequence[ReadPage]) -> list[Find]:
    """Return URLs of documentation, on the site or on a host with its name."""
    finds: dict[str, Find] = {}
    for page in pages:
        for address, element in page.document.anchors:
            text = text_of(element, limit=100)
            if _names_docs(address, fold(text), page) and (kind := kind_of(address, text)):
                if kind[0] != "docs" and same_site(address, page.url):
                    continue
                plain = address.split("#")[0]
                confidence = min(0.95, 0.3 * kind[1])
                find = Find(plain, page, "dom", selector_of(element), snippet_of(element), confidence)
                if plain not in finds or finds[plain].confidence < confidence:
                    finds[plain] = find
    return sorted(finds.values(), key=lambda find: -find.confidence)


def _names_docs(address: str, words: str, page: ReadPage) -> bool:
    """Return whether a link's text or URL says documentation. On another site, it must also have the site's name."""
    last = fold(parts_of(address).path.rstrip("/").rsplit("/", 1)[-1])
    if not {words, last, host_of(address).split(".")[0]} & _DOCS_WORDS:
        return False
    if same_site(address, page.url):
        return not leads_elsewhere(address)
    label = fold(domain_label(page.url))
    return words in _DOCS_WORDS and bool(label) and label in fold(host_of(address))


def find_openapi(pages: Sequence[ReadPage]) -> list[Find]:
    """Return URLs of OpenAPI descriptions that the site links to."""
    finds = [
        Find(address, page, "dom", 'link[rel="service-desc"]', snippet_of(element), 0.95)
        for page in pages
        for _, address, element in page.document.links_as("service-desc")
    ]
    return [*finds, *_linked_files(pages, _OPENAPI)]


def find_llms(pages: Sequence[ReadPage]) -> list[Find]:
    """Return URLs of the site's llms.txt that it links to, the short form first."""
    return sorted(_linked_files(pages, _LLMS), key=lambda find: "llms-full" in find.value.lower())


def _linked_files(pages: Sequence[ReadPage], pattern: re.Pattern[str]) -> list[Find]:
    finds = []
    for page in pages:
        elements = [(address, element) for _, address, element in page.document.links]
        for address, element in (*page.document.anchors, *elements):
            if pattern.search(parts_of(address).path) and same_site(address, page.url):
                finds.append(Find(address, page, "dom", selector_of(element), snippet_of(element), 0.9))
    return finds


def find_mcp(pages: Sequence[ReadPage]) -> list[Find]:
    """Return URLs of the site's MCP server: shown as code, or on a host called mcp.

    A link to /mcp alone does not count, because it is just as often a page about the server.
    """
    finds = []
    for page in pages:
        for address, element in page.document.anchors:
            if host_of(address).startswith("mcp.") and same_site(address, page.url):
                finds.append(Find(address, page, "dom", selector_of(element), snippet_of(element), 0.7))
        for address, element in _shown_as_code(page):
            names_mcp = host_of(address).startswith("mcp.") or re.search(r"/mcp(?:/|$)", parts_of(address).path)
            if names_mcp and same_site(address, page.url):
                finds.append(Find(address, page, "text", selector_of(element), snippet_of(element), 0.9))
    return sorted(finds, key=lambda find: -find.confidence)


def _shown_as_code(page: ReadPage) -> Iterator[tuple[str, etree._Element]]:
    for count, element in enumerate(page.document.root.iter("code", "pre", "kbd", "input")):
        if count >= MAX_CODE_ELEMENTS:
            return
        text = element.get("value") or "" if element.tag == "input" else text_of(element)
        for found in _ENDPOINT.findall(text):
            if address := absolute(found.rstrip("."), page.url):
                yield address, element
