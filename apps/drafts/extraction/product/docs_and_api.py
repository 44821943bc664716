"""Find documentation, OpenAPI descriptions, the MCP server and llms.txt, by links and at well-known addresses."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from lxml import etree

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document.addresses import absolute, domain_label, page_key, same_site
from apps.drafts.extraction.document.document import SNIPPET_CHARACTERS, selector_of, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, strings
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.site.page_choice import leads_elsewhere
from apps.drafts.extraction.site.page_kinds import kind_of
from apps.drafts.extraction.site.site_files import LLMS, MCP_NOTICES, OPENAPI, SiteFile, addresses_in
from apps.drafts.extraction.text.cleaning import fold, words_of

MAX_CODE_ELEMENTS = 500
_OPENAPI = re.compile(
    r"/(?:openapi|swagger|api-docs)[\w.-]*\.(?:json|ya?ml)$|/openapi\.?(?:json|ya?ml)?$", re.IGNORECASE
)
_LLMS = re.compile(r"/llms(?:-full)?\.txt$", re.IGNORECASE)
_ENDPOINT = re.compile(r"https://[\w.-]+(?::\d+)?(?:/[\w./-]*)?", re.ASCII)


def _folded(words: str) -> frozenset[str]:
    return frozenset(map(fold, words_of(words)))


_DOCS_WORDS = _folded("""
    docs documentation documents developers developer developerdocs apidocs apidocumentation apireference
    dokumentation documentacion documentacao documentazione dokumentacja документация ドキュメント 文档
""")
_GUIDE_WORDS = _folded("""
    guide guides manual usermanual userguide handbook reference apireference gettingstarted quickstart
    tutorials anleitung handbuch guia manuale handleiding ガイド 使い方 指南
    benutzerhandbuch bedienungsanleitung manuel guideutilisateur modedemploi manualdeusuario manualdousuario
    gebruikershandleiding användarhandbok brukerhåndbok podrecznik руководство マニュアル 手册
    가이드 사용가이드 이용가이드 사용설명서 매뉴얼
""")
# What a product without documentation offers instead.
_HELP_WORDS = _folded("""
    help helpcenter helpcentre knowledgebase supportcenter hilfe hilfecenter hilfezentrum hilfebereich aide centredaide
    ayuda centrodeayuda ajuda centraldeajuda aiuto centroassistenza hulp helpcentrum hjälp hjälpcenter hjælp
    hjælpecenter hjelp hjelpesenter pomoc centrumpomocy nápověda yardım yardımmerkezi помощь справка ヘルプ
    ヘルプセンター 帮助 帮助中心 도움말
""")
# These may also lead to a form, unless they lead to a host of its own.
_SUPPORT_WORDS = _folded("support soporte suporte assistance assistenza kundenservice")
_HELP_HOSTS = ("support.", "help.", "hilfe.", "aide.", "ayuda.", "ajuda.")
# Words beside them, as in "Read the online manual".
_BESIDE_GUIDE = _folded("the a our read online full open complete product das unser zum le notre lire el la")


def find_docs(pages: Sequence[ReadPage], files: Sequence[SiteFile] = ()) -> list[Find]:
    """Return URLs of documentation, on the site or on a host with its name.

    Guides count where nothing says docs, and help where nothing says either.
    """
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
    for find in _declared_help(pages[0]):
        finds.setdefault(find.value, find)
    if not finds:
        finds = {find.value: find for find in (*_guides(pages[0]), *_docs_in_files(pages[0], files))}
    if not finds:
        finds = {find.value: find for find in _help(pages[0])}
    return sorted(finds.values(), key=lambda find: -find.confidence)


def _declared_help(home: ReadPage) -> Iterator[Find]:
    """Yield the help that the home page's JSON-LD declares for the application."""
    json_ld = home.document.json_ld
    for node in islice(json_ld.of_type(APPLICATION_TYPES), 3):
        for value in strings(json_ld.resolve(node.get("softwareHelp")), key="url"):
            address = absolute(value, home.document.base)
            if address and (same_site(address, home.url) or _has_own_name(address, home)):
                selector = 'script[type="application/ld+json"] softwareHelp'
                yield Find(address, home, "json_ld", selector, f'"softwareHelp": "{value}"', 0.8)


def _guides(home: ReadPage) -> Iterator[Find]:
    """Yield links whose whole text is a word for a guide, such as on sites that are their own documentation."""
    for address, element in home.document.anchors:
        words = (fold(word) for word in text_of(element, limit=100).split())
        text = "".join(word for word in words if word not in _BESIDE_GUIDE)
        if text in _GUIDE_WORDS and same_site(address, home.url) and page_key(address) != page_key(home.url):
            yield Find(address.split("#")[0], home, "dom", selector_of(element), snippet_of(element), 0.7)


def _help(home: ReadPage) -> Iterator[Find]:
    """Yield links to the site's own help, on a page or host of its own. A page may be about a help center to buy."""
    for address, element in home.document.anchors:
        is_own = same_site(address, home.url) or _has_own_name(address, home)
        said = fold(text_of(element, limit=100))
        is_host = host_of(address).startswith(_HELP_HOSTS)
        is_help = said in _HELP_WORDS or (said in _SUPPORT_WORDS and is_host)
        if is_own and page_key(address) != page_key(home.url) and is_help:
            confidence = 0.65 if is_host else 0.6
            yield Find(address.split("#")[0], home, "dom", selector_of(element), snippet_of(element), confidence)


def _docs_in_files(home: ReadPage, files: Sequence[SiteFile]) -> Iterator[Find]:
    for file in files:
        for link in file.links if file.path == LLMS else ():
            address = absolute(link.address, file.url)
            if address and _names_docs(address, fold(link.text), home):
                yield Find(address.split("#")[0], file, "text", LLMS, f"[{link.text}]({link.address})", 0.75)


def _names_docs(address: str, words: str, page: ReadPage) -> bool:
    """Return whether a link's text or URL says documentation. On another site, it must also have the site's name."""
    last = fold(parts_of(address).path.rstrip("/").rsplit("/", 1)[-1])
    if not {words, last, host_of(address).split(".")[0]} & _DOCS_WORDS:
        return False
    if same_site(address, page.url):
        return not leads_elsewhere(address)
    return words in _DOCS_WORDS and _has_own_name(address, page)


def _has_own_name(address: str, page: ReadPage) -> bool:
    label = fold(domain_label(page.url))
    return bool(label) and label in fold(host_of(address))


def find_openapi(pages: Sequence[ReadPage], files: Sequence[SiteFile] = ()) -> list[Find]:
    """Return URLs of OpenAPI descriptions that the site links to, or has at the usual address."""
    finds = [
        Find(address, page, "dom", 'link[rel="service-desc"]', snippet_of(element), 0.95)
        for page in pages
        for _, address, element in page.document.links_as("service-desc")
    ]
    return [*finds, *_linked_files(pages, _OPENAPI), *_at(OPENAPI, files)]


def find_llms(pages: Sequence[ReadPage], files: Sequence[SiteFile] = ()) -> list[Find]:
    """Return URLs of the site's llms.txt, at its usual address or linked, the short form first."""
    result = [*_at(LLMS, files), *_linked_files(pages, _LLMS)]
    return sorted(result, key=lambda find: "llms-full" in find.value.lower())


def _at(path: str, files: Sequence[SiteFile]) -> list[Find]:
    return [
        Find(file.url, file, "text", path, file.text.strip()[:SNIPPET_CHARACTERS], 0.95)
        for file in files
        if file.path == path
    ]


def _linked_files(pages: Sequence[ReadPage], pattern: re.Pattern[str]) -> list[Find]:
    finds = []
    for page in pages:
        elements = [(address, element) for _, address, element in page.document.links]
        for address, element in (*page.document.anchors, *elements):
            if pattern.search(parts_of(address).path) and same_site(address, page.url):
                finds.append(Find(address, page, "dom", selector_of(element), snippet_of(element), 0.9))
    return finds


def find_mcp(pages: Sequence[ReadPage], files: Sequence[SiteFile] = ()) -> list[Find]:
    """Return URLs of the site's MCP server: announced in a file, shown as code, or on a host called mcp.

    A link to /mcp alone does not count, because it is just as often a page about the server.
    """
    finds = [
        Find(address, file, "text", file.path, f'"{address}"', 0.9)
        for file in files
        if file.path in MCP_NOTICES
        for address in addresses_in(file.data)
        if _names_mcp(address) and same_site(address, file.url)
    ]
    for page in pages:
        for address, element in page.document.anchors:
            if host_of(address).startswith("mcp.") and same_site(address, page.url):
                finds.append(Find(address, page, "dom", selector_of(element), snippet_of(element), 0.7))
        for address, element in _shown_as_code(page):
            if _names_mcp(address) and same_site(address, page.url):
                finds.append(Find(address, page, "text", selector_of(element), snippet_of(element), 0.9))
    return sorted(finds, key=lambda find: -find.confidence)


def _names_mcp(address: str) -> bool:
    return host_of(address).startswith("mcp.") or bool(re.search(r"/mcp(?:/|$)", parts_of(address).path))


def _shown_as_code(page: ReadPage) -> Iterator[tuple[str, etree._Element]]:
    for count, element in enumerate(page.document.root.iter("code", "pre", "kbd", "input")):
        if count >= MAX_CODE_ELEMENTS:
            return
        text = element.get("value") or "" if element.tag == "input" else text_of(element)
        for result in _ENDPOINT.findall(text):
            if address := absolute(result.rstrip("."), page.url):
                yield address, element
