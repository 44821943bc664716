"""Mail addresses that pages show as plain text, without a link."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from apps.drafts.extraction.addresses import domain_of
from apps.drafts.extraction.document import selector_of
from apps.drafts.extraction.lines import Line
from apps.drafts.extraction.page_kinds import kind_of_page
from apps.drafts.extraction.proposal import Find, ReadPage

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
