"""Addresses a listing can point to: mail, documentation, and descriptions for machines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from urllib.parse import unquote

from lxml import etree

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.addresses import absolute, domain_label, domain_of, same_site
from apps.drafts.extraction.choosing import kind_of, leads_elsewhere
from apps.drafts.extraction.document import MAX_ANCHORS, selector_of, snippet_of, text_of
from apps.drafts.extraction.json_ld import Json, strings
from apps.drafts.extraction.proposal import Find, ReadPage
from apps.drafts.extraction.schema_types import APPLICATION_TYPES, ORGANIZATION_TYPES
from apps.drafts.extraction.shown_mails import find_shown
from apps.drafts.extraction.text import fold, words_of

MAX_CODE_ELEMENTS = 500

_MAIL = re.compile(r"^[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.)+[a-z]{2,24}$", re.IGNORECASE)
_NOBODY = re.compile(
    r"^(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|abuse|unsubscribe|you|your|name|email|user)@"
    r"|@(?:example|domain|email|test)\."
)
_GENERAL = re.compile(
    r"^(?:hello|hi|hey|info|contact|kontakt|contacto|support|help|team|office|mail|sales|press)[@+]",
    re.IGNORECASE,
)
_OPENAPI = re.compile(
    r"/(?:openapi|swagger|api-docs)[\w.-]*\.(?:json|ya?ml)$|/openapi\.?(?:json|ya?ml)?$", re.IGNORECASE
)
_LLMS = re.compile(r"/llms(?:-full)?\.txt$", re.IGNORECASE)
_ENDPOINT = re.compile(r"https://[\w.-]+(?::\d+)?(?:/[\w./-]*)?", re.ASCII)
_DOCS_WORDS = words_of("""
    docs documentation documents developers developer developerdocs apidocs apidocumentation apireference
    dokumentation documentacion documentacao documentazione dokumentacja документация ドキュメント 文档
""")


def find_mails(pages: Sequence[ReadPage]) -> list[Find]:
    """Mail addresses the site names as its own, general ones before people's.

    Addresses of other domains count only if JSON-LD declares them, or the line of a contact page that is for them.
    """
    finds: dict[str, Find] = {}
    for page in pages:
        for mail, find in (*_declared_mails(page), *_linked_mails(page)):
            finds.setdefault(mail, find)
    for mail, find in find_shown(pages):
        if _is_mail(mail):
            finds.setdefault(mail, replace(find, confidence=0.7) if _GENERAL.match(mail) else find)
    return sorted(finds.values(), key=lambda find: -find.confidence)


def _declared_mails(page: ReadPage) -> Iterator[tuple[str, Find]]:
    for node in page.document.json_ld.of_type(ORGANIZATION_TYPES | APPLICATION_TYPES):
        points: Json = node.get("contactPoint")
        for value in (*strings(node.get("email")), *strings(points, key="email")):
            mail = value.removeprefix("mailto:").strip()
            if _is_mail(mail):
                selector = 'script[type="application/ld+json"] email'
                yield mail.lower(), Find(mail.lower(), page, "json_ld", selector, f'"email": "{value}"', 0.9)


def _linked_mails(page: ReadPage) -> Iterator[tuple[str, Find]]:
    for element in islice(page.document.root.iterfind(".//a[@href]"), MAX_ANCHORS):
        href = (element.get("href") or "").strip()
        if href[:7].lower() != "mailto:":
            continue
        mail = unquote(href[7:].split("?")[0]).strip().lower()
        if _is_mail(mail) and domain_of(f"https://{mail.split('@')[1]}") == domain_of(page.url):
            confidence = 0.85 if _GENERAL.match(mail) else 0.6
            yield mail, Find(mail, page, "dom", selector_of(element), snippet_of(element), confidence)


def _is_mail(value: str) -> bool:
    return bool(_MAIL.match(value)) and not _NOBODY.search(value.lower())


def find_docs(pages: Sequence[ReadPage]) -> list[Find]:
    """Addresses of documentation: on the site, or on a host that bears its name."""
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
    """Whether a link's words or address say documentation; on another site both its words and the site's name must."""
    last = fold(parts_of(address).path.rstrip("/").rsplit("/", 1)[-1])
    if not {words, last, host_of(address).split(".")[0]} & _DOCS_WORDS:
        return False
    if same_site(address, page.url):
        return not leads_elsewhere(address)
    label = fold(domain_label(page.url))
    return words in _DOCS_WORDS and bool(label) and label in fold(host_of(address))


def find_openapi(pages: Sequence[ReadPage]) -> list[Find]:
    """Addresses of OpenAPI descriptions that the site links to."""
    finds = [
        Find(address, page, "dom", 'link[rel="service-desc"]', snippet_of(element), 0.95)
        for page in pages
        for _, address, element in page.document.links_as("service-desc")
    ]
    return [*finds, *_linked_files(pages, _OPENAPI)]


def find_llms(pages: Sequence[ReadPage]) -> list[Find]:
    """Addresses of the site's llms.txt that it links to, the short form first."""
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
    """Addresses of an MCP server of the site: shown as code, or on a host called mcp.

    A link to /mcp alone is as often a page about it, so it does not count.
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
