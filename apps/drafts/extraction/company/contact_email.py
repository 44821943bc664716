"""The email address for writing to the company."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from urllib.parse import unquote

from apps.core.web.hosts import ascii_host
from apps.drafts.extraction.company.places import names_maker
from apps.drafts.extraction.document.addresses import domain_label, domain_of
from apps.drafts.extraction.document.document import MAX_ANCHORS, selector_of, snippet_of
from apps.drafts.extraction.document.json_ld import APPLICATION_TYPES, ORGANIZATION_TYPES, Json, strings
from apps.drafts.extraction.document.lines import Line
from apps.drafts.extraction.page.read_page import Find, ReadPage
from apps.drafts.extraction.site.page_kinds import kind_of_page

MAX_EMAILS = 20
MAX_TRIED = 200
MAX_LABEL = 30
_KINDS = frozenset({"contact", "about", "team"})
_NOT_OURS = frozenset({"quote", "struck"})
# Sites write "info (at) acme.com" and "info[at]acme[dot]com" to hide addresses from harvesters.
_AT = r"(?:@|\s?[\[({]\s?(?:at|@|ät)\s?[\])}]\s?)"
_DOT = r"(?:\.|\s?[\[({]\s?(?:dot|punkt|\.)\s?[\])}]\s?)"
# What names of hosts consist of, in any script, but not the marks of a sentence around them.
_LETTER = r"a-z\d\u00df-\u02ff\u0370-\u1fff\u3040-\u9fff\uac00-\ud7a3"
_SHOWN = re.compile(
    rf"(?<![\w.+@/:-])(?P<local>[a-z\d][\w.+-]{{0,63}}){_AT}(?P<host>(?:[{_LETTER}-]{{1,63}}{_DOT}){{1,5}}"
    r"(?:[a-z]{2,24}|xn--[a-z\d-]{1,59}|[\u0370-\u1fff]{2,24}))(?![\w@-])",
    re.IGNORECASE | re.ASCII,
)
_ANY_AT = re.compile(r"@|[\[({]\s?(?:at|ät)\s?[\])}]", re.IGNORECASE)
_DOT_WRITTEN = re.compile(_DOT, re.IGNORECASE)
# Labels of the company's contact address, before it in the line or alone in the line above.
_LABEL = re.compile(
    r"^\W*(?:e-?mail|mail|e-?mail-?adresse|contact|kontakt|contacto|contato|contatto|courriel|correo(?: electrónico)?|"
    r"correio eletrónico|e-post|e-mailadres|почта|эл\. почта|электронная почта|メール(?:アドレス)?|お問い合わせ(?:先)?|"
    r"连絡先|連絡先|邮箱|电子邮件|電子郵件|이메일|البريد(?: الإلكتروني)?|بريد إلكتروني|write to us|write us|"
    r"schreib(?:en sie|t|) uns|écrivez-nous|escríbenos|scrivici)\W*$",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"^[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.)+(?:[a-z]{2,24}|xn--[a-z\d-]{1,59})$", re.IGNORECASE)
_NOBODY = re.compile(
    r"^(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|abuse|unsubscribe|you|your|name|email|user)@"
    r"|@(?:example|domain|email|test|lists?|groups?|mailman)\."
)
_GENERAL = re.compile(
    r"^(?:hello|hi|hey|hallo|hej|hei|hola|ola|bonjour|salut|ciao|ahoj|info|contact|contacto|contato|contatto|contacts|kontakt|"
    r"iletisim|enquir(?:y|ies)|inquir(?:y|ies)|ask|questions|support|soporte|suporte|destek|help|ayuda|ajuda|aide|hilfe|"
    r"service|kundenservice|kundeservice|kundtjanst|atendimento|assistenza|team|office|biuro|kontor|post|mail)[@+]",
    re.IGNORECASE,
)
# For a purpose that is rarely a visitor's, so they count only without another address.
_FOR_A_PURPOSE = re.compile(
    r"^(?:sales|vertrieb|ventas|vendas|press|presse|prensa|media|pr|jobs?|careers?|karriere|bewerbung|hr|recruiting|talent|"
    r"privacy|datenschutz|privacidad|dpo|gdpr|rgpd|legal|compliance|dmca|security|abuse|billing|invoices?|accounting|"
    r"buchhaltung|rechnung|finance|investors?|ir|partners?|partnerships?|affiliates?|marketing|ads|advertising|events|"
    r"newsletter|webmaster|admin|status|bugs)[@+.-]",
    re.IGNORECASE,
)


def find_emails(pages: Sequence[ReadPage]) -> list[Find]:
    """Return email addresses the site names as its own: general ones, then people's, then those for a purpose.

    Addresses of other domains count only if JSON-LD declares them, or if the line of a contact page labels them as
    such, or if the home page's footer has no other one and names the maker with that domain.
    """
    finds: dict[str, Find] = {}
    for page in pages:
        for email, find in (*_declared_emails(page), *_linked_emails(page)):
            finds.setdefault(email, find)
    for email, find in _shown_emails(pages):
        if _is_email(email):
            finds.setdefault(email, replace(find, confidence=0.7) if _GENERAL.match(email) else find)
    return sorted(finds.values(), key=lambda find: (bool(_FOR_A_PURPOSE.match(find.value)), -find.confidence))


def _declared_emails(page: ReadPage) -> Iterator[tuple[str, Find]]:
    for node in page.document.json_ld.of_type(ORGANIZATION_TYPES | APPLICATION_TYPES):
        points: Json = node.get("contactPoint")
        for value in (*strings(node.get("email")), *strings(points, key="email")):
            email = _with_ascii_host(value.removeprefix("mailto:").strip())
            if _is_email(email):
                selector = 'script[type="application/ld+json"] email'
                yield email.lower(), Find(email.lower(), page, "json_ld", selector, f'"email": "{value}"', 0.9)


def _linked_emails(page: ReadPage) -> Iterator[tuple[str, Find]]:
    for element in islice(page.document.root.iterfind(".//a[@href]"), MAX_ANCHORS):
        href = (element.get("href") or "").strip()
        if href[:7].lower() != "mailto:":
            continue
        email = _with_ascii_host(unquote(href[7:].split("?")[0]).strip().lower())
        if _is_email(email) and domain_of(f"https://{email.split('@')[1]}") == domain_of(page.url):
            confidence = 0.85 if _GENERAL.match(email) else 0.6
            yield email, Find(email, page, "dom", selector_of(element), snippet_of(element), confidence)


def _with_ascii_host(email: str) -> str:
    """Return an address with its host in ASCII, in the form that is stored."""
    name, at, host = email.rpartition("@")
    try:
        return f"{name}{at}{ascii_host(host)}"
    except ValueError:
        return email


def _is_email(value: str) -> bool:
    return bool(_EMAIL.match(value)) and not _NOBODY.search(value.lower())


def _shown_emails(pages: Sequence[ReadPage]) -> Iterator[tuple[str, Find]]:
    """Return addresses in lower case with their lines. The first page is the home page.

    Addresses of the site's own domain count on pages about the company, in the home page's footer, or beside a label
    such as `E-Mail`. Another domain's address counts beside such a label on a contact page that shows no other address.
    """
    for number, page in enumerate(pages):
        kind = kind_of_page(page) if number else "home"
        if kind != "home" and kind not in _KINDS:
            continue
        addresses = list(islice(_shown_addresses(page), MAX_EMAILS))
        emails = {email for email, *_ in addresses}
        for email, line, is_labeled in addresses:
            find = Find(email, page, "text", selector_of(line.element), line.text, 0.6 if is_labeled else 0.5)
            if domain_of(f"https://{email.split('@')[1]}") == domain_of(page.url):
                if kind != "home" or is_labeled or "footer" in line.marks:
                    yield email, find
            elif len(emails) == 1 and (
                (kind == "contact" and is_labeled) or (kind == "home" and _is_of_maker(email, line, page))
            ):
                yield email, find


def _is_of_maker(email: str, line: Line, page: ReadPage) -> bool:
    """Return whether an address in a footer is at the domain of the one who made the site: "Made by Wren"."""
    label = domain_label(f"https://{email.split('@')[1]}")
    return "footer" in line.marks and names_maker(label, (other.text for other in page.lines))


def _shown_addresses(page: ReadPage) -> Iterator[tuple[str, Line, bool]]:
    """Return addresses with their lines, and whether a label beside them says that they are for contact."""
    above = ""
    tried = 0
    for line in page.lines:
        if tried < MAX_TRIED and not line.marks & _NOT_OURS and _ANY_AT.search(line.text):
            tried += 1
            for count, result in enumerate(islice(_SHOWN.finditer(line.text), 5)):
                before = line.text[: result.start()]
                label = before if before.strip() or count else above
                host = _DOT_WRITTEN.sub(".", result["host"])
                email = _with_ascii_host(f"{result['local']}@{host}".lower())
                yield email, line, len(label) <= MAX_LABEL and bool(_LABEL.match(label))
        above = line.text
