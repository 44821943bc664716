"""Addresses a listing can point to: mail, documentation, and descriptions for machines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from urllib.parse import unquote

from lxml import etree

from apps.core.web.urls import host_of, parts_of
from apps.drafts.extraction.document.addresses import absolute, domain_label, domain_of, same_site
from apps.drafts.extraction.document.document import MAX_ANCHORS, selector_of, snippet_of, text_of
from apps.drafts.extraction.document.json_ld import Json, strings
from apps.drafts.extraction.document.lines import Line
from apps.drafts.extraction.document.schema_types import APPLICATION_TYPES, ORGANIZATION_TYPES
from apps.drafts.extraction.site.page_choice import kind_of, leads_elsewhere
from apps.drafts.extraction.site.page_kinds import kind_of_page
from apps.drafts.extraction.site.proposal import Find, ReadPage
from apps.drafts.extraction.text.words import fold, words_of

MAX_MAILS = 20
MAX_TRIED = 200
MAX_LABEL = 30

_KINDS = frozenset({"contact", "about", "team"})
_NOT_OURS = frozenset({"quote", "struck"})
# "info (at) acme.com" and "info[at]acme[dot]com" stand where harvesters shall not find them.
_AT = r"(?:@|\s?[\[({]\s?(?:at|@|ät)\s?[\])}]\s?)"
_DOT = r"(?:\.|\s?[\[({]\s?(?:dot|punkt|\.)\s?[\])}]\s?)"
_SHOWN = re.compile(
    rf"(?<![\w.+@/:-])(?P<local>[a-z\d][\w.+-]{{0,63}}){_AT}(?P<host>(?:[a-z\d-]{{1,63}}{_DOT}){{1,5}}[a-z]{{2,24}})(?![\w@-])",
    re.IGNORECASE | re.ASCII,
)
_ANY_AT = re.compile(r"@|[\[({]\s?(?:at|ät)\s?[\])}]", re.IGNORECASE)
_DOT_WRITTEN = re.compile(_DOT, re.IGNORECASE)
# What stands before the address in the line that is for writing to the company, or alone in the line above.
_LABEL = re.compile(
    r"^\W*(?:e-?mail|mail|e-?mail-?adresse|contact|kontakt|contacto|contato|contatto|courriel|correo(?: electrónico)?|"
    r"correio eletrónico|e-post|e-mailadres|почта|эл\. почта|электронная почта|メール(?:アドレス)?|お問い合わせ(?:先)?|"
    r"连絡先|連絡先|邮箱|电子邮件|電子郵件|이메일|البريد(?: الإلكتروني)?|بريد إلكتروني|write to us|write us|"
    r"schreib(?:en sie|t|) uns|écrivez-nous|escríbenos|scrivici)\W*$",
    re.IGNORECASE,
)


def find_shown(pages: Sequence[ReadPage]) -> Iterator[tuple[str, Find]]:
    """Addresses in lower case, with the lines that show them; the first page is the home page.

    Those of the site's own domain count on pages about the company, on the home page in its foot or beside a word
    such as "E-Mail". Another domain's counts beside such a word on a contact page that shows no other address.
    """
    for number, page in enumerate(pages):
        kind = kind_of_page(page) if number else "home"
        if kind != "home" and kind not in _KINDS:
            continue
        shown = list(islice(_shown(page), MAX_MAILS))
        mails = {mail for mail, *_ in shown}
        for mail, line, is_labelled in shown:
            find = Find(mail, page, "text", selector_of(line.element), line.text, 0.6 if is_labelled else 0.5)
            if domain_of(f"https://{mail.split('@')[1]}") == domain_of(page.url):
                if kind != "home" or is_labelled or "footer" in line.marks:
                    yield mail, find
            elif kind == "contact" and is_labelled and len(mails) == 1:
                yield mail, find


def _shown(page: ReadPage) -> Iterator[tuple[str, Line, bool]]:
    """Addresses with their lines, and whether a word beside them says that they are for writing to."""
    above = ""
    tried = 0
    for line in page.lines:
        if tried < MAX_TRIED and not line.marks & _NOT_OURS and _ANY_AT.search(line.text):
            tried += 1
            for count, found in enumerate(islice(_SHOWN.finditer(line.text), 5)):
                before = line.text[: found.start()]
                label = before if before.strip() or count else above
                host = _DOT_WRITTEN.sub(".", found["host"])
                yield f"{found['local']}@{host}".lower(), line, len(label) <= MAX_LABEL and bool(_LABEL.match(label))
        above = line.text


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
