"""Recognize responses that can't be used: errors, challenges, parked domains, and empty pages."""

import re
from itertools import islice
from typing import Literal, NamedTuple, Protocol, TypeAlias

from lxml import etree

from apps.core.fetch.fetched import HTML_TYPES, media_type
from apps.core.html.tree import UnreadablePage, parse
from apps.drafts.extraction.document.document import Document, text_of
from apps.drafts.extraction.text.cleaning import weight_of, words_of

Reason: TypeAlias = Literal["too_thin", "needs_javascript", "blocked", "unreachable", "not_html"]

# Minimum for a home page. Both are weights, because a Chinese character says as much as several letters.
MIN_WORDS_CHARACTERS = 200
MIN_DESCRIPTION = 30
MAX_CHALLENGE_CHARACTERS = 1500
MAX_PARKED_CHARACTERS = 3000
MAX_SCRIPTS = 50

_LOOKS_LIKE_HTML = re.compile(r"<(?:!doctype html|html|head|body|title|meta|div|p)\b", re.IGNORECASE)
# Documents and pictures that a server labels as HTML.
_RUNS = re.compile(r"(?:module|(?:text|application)/(?:java|ecma)script)?$", re.IGNORECASE)
_BINARY = re.compile(r".{0,8}(?:%PDF-\d|PNG\r?\n|GIF8[79]a|JFIF|Exif|WEBPVP8|PK\x03\x04)", re.DOTALL)
_BLOCKED_STATUS = frozenset({401, 403, 405, 406, 407, 429, 451})
_CHALLENGE_TITLE = re.compile(
    r"^(?:just a moment|one moment|attention required|access (?:to this page has been )?denied"
    r"|are you (?:a )?(?:robot|human)"
    r"|security (?:check|verification)|checking your browser"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|human verification"
    r"|pardon our interruption|please wait|bot (?:check|verification|protection)|request (?:rejected"
    r"|blocked)|ddos.{0,10}protect"
    r"|captcha|robot check|forbidden|403\b|blocked|un momento|einen moment|un instant)",
    re.IGNORECASE,
)
_CHALLENGE_MARKS = words_of("""
    cdn-cgi/challenge-platform cf-chl cf_chl _incapsula_resource captcha-delivery.com px-captcha awswaf aws-waf-token
    sgcaptcha ddos-guard g-recaptcha h-captcha cf-turnstile challenges.cloudflare.com /akam/ distil_r_captcha
""")
_CHALLENGE_TEXT = re.compile(
    r"verify (?:that )?you are (?:a |not a )?(?:human|robot)|not a robot|unusual traffic"
    r"|automated (?:requests|access)"
    r"|enable javascript and cookies|checking (?:if the site connection is secure|your browser)"
    r"|complete the security check"
    r"|has been blocked|access denied",
    re.IGNORECASE,
)
_ERROR_TITLE = re.compile(
    r"^(?:(?:error )?(?:404|410|500|502|503|504)\b|(?:page|site|seite|página"
    r"|страница) (?:was )?(?:not found|nicht gefunden|no encontrada)"
    r"|not found|bad gateway|service (?:temporarily )?unavailable|internal server error|gateway time-?out"
    r"|database error"
    r"|error establishing a database connection|application error|site (?:temporarily )?unavailable"
    r"|web server is down)",
    re.IGNORECASE,
)
_NOT_FOUND = (
    r"(?:(?:oops|sorry|hoppla|ups|oups)\W+)?(?:(?:error|fehler|erreur|ошибка)?\W*(?:404|410|50[0-4])\W*)?"
    r"(?:(?:(?:the|this|that|diese|die|cette|la|esta|essa|deze|de|denna) )?"
    r"(?:page|site|seite|página|pagina|страница|strona|sidan|siden) (?:\w+ ){0,3}?"
    r"(?:not found|be found|not exist|(?:nicht|niet) (?:gefunden|gevonden)|introuvable|no encontrada|não encontrada"
    r"|non trovata|не найдена|nie znaleziono|znaleziona|hittades inte|ikke fundet|ikke funnet)"
    r"|not found|(?:ページ|頁面|页面).{0,8}(?:見つかりません|ありません|不存在|未找到|找不到)"
    r"|(?:未找到|找不到).{0,4}(?:页面|頁面)"
    r"|페이지를 찾을 수 없습니다|(?:لم يتم العثور على )?الصفحة(?: المطلوبة)? غير موجودة)"
)
_ERROR_HEADING = re.compile(
    rf"^\W*(?:{_NOT_FOUND}|(?:error|fehler|erreur|ошибка)?\W*(?:404|410|50[0-4])\W*$)", re.IGNORECASE
)
_PARKED = re.compile(
    r"(?:this |the )?(?:web ?site |domain )(?:name )?(?:[\w.-]+ )?(?:is|may be|could be) (?:parked"
    r"|for sale|available for purchase)"
    r"|buy this domain|domain (?:parking|is parked|has expired|for sale)|parked (?:free|domain)"
    r"|make an offer on this domain"
    r"|diese domain (?:steht zum verkauf|ist geparkt|kaufen)|ce (?:nom de )?domaine est (?:à vendre|en vente)"
    r"|este dominio (?:está (?:a la venta|en venta)|está à venda)|домен (?:продается|продаётся|припаркован)"
    r"|inquire about this domain|interested in this domain|courtesy of (?:the )?domain",
    re.IGNORECASE,
)
_TITLE_PARTS = re.compile(r"\s[-–—|·:•]\s|\s*[|｜]\s*")
_PARKED_MARKS = words_of("""
    sedoparking parkingcrew bodis.com parklogic /_fd? afternic.com/forsale dan.com/buy abovedomains
""")
_PLACEHOLDER = re.compile(
    r"^(?:welcome to nginx|apache2? .{0,30}default page|test page for|iis windows server|index of /"
    r"|it works!?$|default web ?site page"
    r"|site not (?:found|configured)|coming soon|under construction|domain default page|future home of"
    r"|your (?:new )?web ?site is ready)",
    re.IGNORECASE,
)


class FetchedText(Protocol):
    """What this module reads of a response: status, content type, and the body as text."""

    @property
    def status(self) -> int: ...

    @property
    def content_type(self) -> str: ...

    @property
    def text(self) -> str: ...


class Answer(NamedTuple):
    """The simplest `FetchedText`."""

    status: int
    content_type: str
    text: str


def why_unusable(page: FetchedText, *, root: etree._Element | None = None, is_home: bool = True) -> Reason | None:
    """Return why a response can't be drafted from, or None if it can.

    `unreachable`: error pages, also with status 200. `blocked`: refusals, CAPTCHAs and challenges. `not_html`: other
    content types. `too_thin`: parked domains, placeholders, and pages without words. `needs_javascript`: pages that
    scripts fill, without a title and a description in their head. Pages about CAPTCHAs or domain
    sales are fine, because the marks count only on pages with hardly any other text. Pages other than the home page may
    be short, as contact pages are. Pass `root` to avoid parsing a page twice.
    """
    if reason := _by_status(page.status):
        return reason
    if not _is_html(page):
        return "not_html"
    try:
        document = Document(parse(page.text) if root is None else root, url="https://page.invalid/")
    except UnreadablePage:
        return "too_thin" if not page.text.strip() else "not_html"
    result = document.first_text("title")
    title = result[0] if result else ""
    body = document.root.find("body")
    text = text_of(body, limit=MAX_PARKED_CHARACTERS + 1000) if body is not None else ""
    if reason := _by_words(title, text, page.text):
        return reason
    return _by_length(document, title, text) if is_home else _of_short(document, title, text)


def _by_status(status: int) -> Reason | None:
    if status in _BLOCKED_STATUS:
        return "blocked"
    return None if 200 <= status < 300 else "unreachable"


def _is_html(page: FetchedText) -> bool:
    kind = media_type(page.content_type)
    if _BINARY.match(page.text):
        return False
    if kind in HTML_TYPES:
        return True
    return not kind and bool(_LOOKS_LIKE_HTML.search(page.text[:2000]))


def _by_words(title: str, text: str, html: str) -> Reason | None:
    if len(text) <= MAX_CHALLENGE_CHARACTERS:
        says_so = bool(_CHALLENGE_TEXT.search(text)) and len(text) <= MAX_CHALLENGE_CHARACTERS // 2
        is_titled = bool(_CHALLENGE_TITLE.match(title))
        if is_titled and (says_so or len(text) <= MIN_WORDS_CHARACTERS * 2):
            return "blocked"
        # Few pages get this far, where the whole page must be searched.
        if (is_titled or says_so or (not text and not title)) and _has_any(_CHALLENGE_MARKS, html):
            return "blocked"
        if _ERROR_TITLE.match(title):
            return "unreachable"
        if _PLACEHOLDER.match(title) or (len(text) <= MIN_WORDS_CHARACTERS and _PLACEHOLDER.match(text)):
            return "too_thin"
    if len(text) <= MAX_PARKED_CHARACTERS and (
        _PARKED.search(f"{title} {text}"[:1500]) or _has_any(_PARKED_MARKS, html)
    ):
        return "too_thin"
    return None


def _has_any(marks: frozenset[str], html: str) -> bool:
    # Searching bytes is several times as fast as searching text, and all marks are ASCII.
    lowered = html.encode("utf-8", "replace").lower()
    return any(mark.encode() in lowered for mark in marks)


def _by_length(document: Document, title: str, text: str) -> Reason | None:
    """A page that scripts would fill is still usable if it describes itself."""
    keys = ("og:description", "twitter:description", "description")
    described = any(weight_of(meta.content) >= MIN_DESCRIPTION for key in keys for meta in document.metas.get(key, ()))
    named = bool(title) or "og:title" in document.metas
    if weight_of(text) >= MIN_WORDS_CHARACTERS or (named and described):
        return None
    return "needs_javascript" if _has_scripts(document) else "too_thin"


def needs_javascript(document: Document) -> bool:
    """Return whether a page has almost no words until its scripts run."""
    body = document.root.find("body")
    text = text_of(body, limit=MIN_WORDS_CHARACTERS * 2) if body is not None else ""
    return weight_of(text) < MIN_WORDS_CHARACTERS and _has_scripts(document)


def _has_scripts(document: Document) -> bool:
    """Return whether a page has scripts that could fill it, rather than data or a counter of visits alone."""
    scripts = islice(document.root.iter("script"), MAX_SCRIPTS)
    return any(_RUNS.match((script.get("type") or "").strip()) for script in scripts)


def _of_short(document: Document, title: str, text: str) -> Reason | None:
    """A page without words says nothing, and a short one may only say that there is no content."""
    if not text:
        return _by_length(document, title, text)
    if weight_of(text) < MIN_WORDS_CHARACTERS:
        heading = document.first_text("h1")
        names = (*_TITLE_PARTS.split(title[:300]), heading[0] if heading else "")
        if any(_ERROR_HEADING.match(name) for name in names):
            return "unreachable"
    return None
