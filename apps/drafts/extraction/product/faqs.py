"""Find questions and answers: declared ones, expandable ones, and headings that ask."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lxml import etree

from apps.drafts.extraction.document import microdata
from apps.drafts.extraction.document.document import SNIPPET_CHARACTERS, Document, clean_text, selector_of, text_of
from apps.drafts.extraction.document.json_ld import Node, strings, types_of
from apps.drafts.extraction.document.lines import lines_of
from apps.drafts.extraction.page.facts import Source
from apps.drafts.extraction.page.read_page import Entry, Find, ReadPage
from apps.drafts.extraction.site.page_kind_words import KIND_OF
from apps.drafts.extraction.site.page_kinds import kind_of_page
from apps.drafts.extraction.text.cleaning import clean, cut, fold, is_dense, words_of

MAX_FAQS = 12
MAX_QUESTION = 160
MAX_ANSWER = 1500
MIN_QUESTION = 6
MIN_ANSWER = 2
MAX_ASKING = 400
MAX_PARTS = 30
MAX_CLIMB = 8
MIN_SHARED = 0.75
MIN_EXPANDABLE = 2

_QUESTION_TYPES = words_of("question")
_FAQ_TYPES = words_of("faqpage")
_ASKS = re.compile(r"(?:[?？؟;\u037e]|教えて(?:ください|下さい)。?)\s*[\"'»”）)]*$")
# Questions to visitors, which lead to a form or a plan: "Still have questions?", "Ready to start?".
_ASKS_VISITOR = re.compile(
    r"^(?:still|any|more|other|further|got|have|need|ready|can['’]?t find|did(?:n['’]?t| not)|want|interested|curious"
    r"|looking|not sure|(?:noch|weitere|offene|haben sie) fragen|bereit|interesse|(?:d['’])?autres? questions?"
    r"|encore des|une question|prêt|besoin d|(?:¿)?(?:más|otras|tienes|tiene|aún tienes) (?:más )?(?:preguntas|dudas)"
    r"|(?:¿)?listo|ainda (?:tem|com)|mais (?:perguntas|dúvidas)|pronto|altre domande|hai (?:altre )?domande"
    r"|nog vragen|heb je nog|klaar om|har du frågor)\b"
    r"(?:[^?？]{0,60})[?？]",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^(?:q(?:uestion)?\s*\d*\s*[:.)]|\d{1,2}\s*[.)])\s*", re.IGNORECASE)
# Questions that many sites write without their mark.
_BEGINS_ASKING = re.compile(
    r"¿|(?:how|what|why|when|where|which|who|whose|can|could|do|does|did|is|are|will|would|should|may|must"
    r"|wie|was|warum|wann|wo|welche[rsnm]?|wer|kann|können|ist|sind|gibt|muss|darf"
    r"|comment|que|quels?|quelles?|quoi|pourquoi|quand|où|combien|puis-je|peut-on|est-ce|qui|y a-t-il|faut-il|dois-je"
    r"|cómo|qué|por qué|cuándo|dónde|cuáles?|cuánto|puedo|como|o que|quando|onde|quanto|posso|come|cosa|perché|dove"
    r"|(?:com|em|para|de|a|por|con|en|in|per|mit|für|auf|with|for|on|avec|pour|dans)\s(?:qua(?:l|is|le|li)|cuál(?:es)?"
    r"|qué|que|quem|quién|welche[rnms]?|wem|which|what|whom|quels?|quelles?|qui)|preciso|tem|têm|há|existe|consigo|vocês"
    r"|necesito|tiene[ns]?|hay|serve|devo|funziona|c['’]è|brauche|braucht|habe|werden|wird|moet|heeft|is er|zijn er"
    r"|czym|ile|gdzie|mogę|můžu|mohu|můžeme|lze|jde|kolik|odkud|kde|kdy|proč|jaký|jaké|môžem|voinko|miten|mitä|onko"
    r"|hogyan|lehet|mennyi|nasıl|neden|pot|cum|care|bisakah|bagaimana|apakah"
    r"|hoe|wat|waarom|wanneer|waar|kan|hur|vad|varför|när|jak|co|dlaczego|kiedy|czy|как|что|почему|когда|где)\b"
    r"|.*(?:か|吗|呢|까|나요)[。.]?$",
    re.IGNORECASE,
)
_LATIN = re.compile(r"[a-zà-öø-ž]", re.IGNORECASE)
_ANSWER_MARK = re.compile(r"^a(?:nswer)?\s*[:.)]\s*", re.IGNORECASE)
# In an element of its own before a question or an answer.
_MARK = re.compile(r"[qa]\d{0,2}\s?[.:)]?", re.IGNORECASE)
_SIGN = r"[\s+\-–—＋－×▸▹▾▼▽▶▷►◂◀‣•◦→↓›»˅⌄⌵﹀\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]+"
# Headings of documentation end in a link to themselves.
_SIGNS = re.compile(rf"^{_SIGN}|{_SIGN}$|\s?[#¶§]$")
_SECTION = re.compile(r"(?<![a-z])faqs?(?![a-z])|frequently-?_?asked")
# Headings such as "Good questions" and "Frequently asked".
_SAYS_FAQ = re.compile(
    r"(?<!\w)(?:faqs?|questions|frequently asked|fragen|preguntas|preguntes|perguntas|domande|vragen|frågor|spørgsmål"
    r"|spørsmål|pytania|вопросы|dudas|dúvidas|dotazy|otázky|kysymyk(?:set|siä)|kysyttyä|kérdések|sorular|întrebări"
    r"|pitanja|vprašanja|küsimused|klausimai|jautājumi|câu hỏi|pertanyaan|soalan|ερωτήσεις|питання|запитання|въпроси)"
    r"(?!\w)|質問|问题|問題|질문|أسئلة|الأسئلة|שאלות|คำถาม|सवाल|प्रश्न",
    re.IGNORECASE,
)
MAX_FAQ_HEADING = 40
# Inline tags don't separate words.
_INLINE = re.compile(r"</?(?:a|b|i|u|em|strong|span|code|small|mark)(?:\s[^<>]{0,500})?>", re.IGNORECASE)
_TOGGLES = ("div", "a", "p", "span", "strong", "b", "label")
_TOGGLE = re.compile(
    r"toggle|question|trigger|accordion-?_?(?:head|title|button|item-?_?title)|(?<![a-z\d])q\d{0,2}(?![a-z\d])"
)
_EXPANDABLE = re.compile(r"toggle|accordion")
_BOXES = ("checkbox", "radio")
_HEADINGS = ("h2", "h3", "h4", "h5", "h6", "dt", "button", "summary")
_ASKING = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt", "button", "summary"})
_END = frozenset({"nav", "footer", "form", "aside", "header"})
_KINDS_IN_ORDER = ("faq", None, "pricing", "contact", "docs", "about")


@dataclass(frozen=True)
class _Faq:
    question: str
    answer: str
    page: ReadPage
    source: Source
    selector: str
    confidence: float


def find_faqs(pages: Sequence[ReadPage]) -> list[Entry]:
    """Return questions and answers as {question, answer}, at most 12, those of the FAQ page first.

    Declared ones come before visible ones. Outside FAQ pages and sections, only expandable elements count, and only if
    they end in a question mark. Posts and changelogs are left out, because they answer other questions.
    """
    kinds = [(kind_of_page(page) if number else None, page) for number, page in enumerate(pages)]
    ranked = sorted(
        (pair for pair in kinds if pair[0] in _KINDS_IN_ORDER), key=lambda pair: _KINDS_IN_ORDER.index(pair[0])
    )
    result: dict[str, _Faq] = {}
    for kind, page in ranked:
        for faq in (*_declared(page), *_marked(page), *_folded(page, kind), *_headed(page, kind)):
            if not _ASKS_VISITOR.match(faq.question) and not any(_is_same(faq, other) for other in result.values()):
                result.setdefault(fold(faq.question), faq)
        if len(result) >= MAX_FAQS:
            break
    return [_entry(faq) for faq in list(result.values())[:MAX_FAQS]]


def _is_same(one: _Faq, other: _Faq) -> bool:
    """Return whether two questions ask the same: the same answer, or nearly the same words."""
    if fold(one.answer) == fold(other.answer):
        return True
    words, others = ({word for part in faq.question.split() if (word := fold(part))} for faq in (one, other))
    return len(words & others) >= MIN_SHARED * len(words | others)


def _entry(faq: _Faq) -> Entry:
    snippet = f"{faq.question} — {faq.answer}"[:SNIPPET_CHARACTERS]
    find = Find(faq.question, faq.page, faq.source, faq.selector, snippet, faq.confidence)
    return Entry({"question": faq.question, "answer": faq.answer}, [find])


def _declared(page: ReadPage) -> Iterator[_Faq]:
    """Yield questions of a FAQPage in JSON-LD."""
    for top in page.document.json_ld.of_type(_FAQ_TYPES):
        inner = top.get("mainEntity")
        for node in islice(inner if isinstance(inner, list) else [inner], MAX_FAQS * 2):
            node = page.document.json_ld.resolve(node)
            if isinstance(node, dict) and types_of(node) & _QUESTION_TYPES:
                yield from _sound(_question_of(node), _answer_of(node, page), page, "json_ld", _DECLARED, 0.95)


_DECLARED = 'script[type="application/ld+json"] mainEntity'


def _question_of(node: Node) -> str:
    return clean(next(iter((*strings(node.get("name")), *strings(node.get("text")))), ""))


def _answer_of(node: Node, page: ReadPage) -> str:
    for key in ("acceptedAnswer", "suggestedAnswer"):
        value = page.document.json_ld.resolve(node.get(key))
        for text in (*strings(value, key="text"), *strings(value)):
            if answer := clean(_INLINE.sub("", text[: MAX_ANSWER * 4])):
                return answer
    return ""


def _marked(page: ReadPage) -> Iterator[_Faq]:
    """Yield questions of a FAQPage in microdata."""
    for item in microdata.items_of(page.document, _FAQ_TYPES):
        entries: Any = item.properties.get("mainEntity")
        for entry in islice(entries if isinstance(entries, list) else [entries], MAX_FAQS * 2):
            properties = entry.get("properties", {}) if isinstance(entry, dict) else {}
            question = clean(next(iter(microdata.texts_of(properties.get("name"))), ""))
            answers = microdata.texts_of(properties.get("acceptedAnswer"), key="text")
            answer = clean(answers[0]) if answers else ""
            yield from _sound(question, answer, page, "itemprop", selector_of(item.element), 0.95)


def _folded(page: ReadPage, kind: str | None) -> Iterator[_Faq]:
    """Yield expandable elements as questions."""
    for element in islice(page.document.root.iter("details"), MAX_ASKING):
        summary = element.find("summary")
        if summary is None:
            continue
        question = _bare(_without_mark(summary, limit=MAX_QUESTION * 2))
        if _ASKS.search(question) or kind == "faq" or (_in_section(element) and _BEGINS_ASKING.match(question)):
            answer = " ".join(_texts_after(summary, stop_at=None))
            confidence = 0.85 if kind == "faq" or _in_section(element) else 0.75
            yield from _sound(question, answer, page, "dom", selector_of(element), confidence)


def _headed(page: ReadPage, kind: str | None) -> Iterator[_Faq]:
    """Yield headings that end in a question mark, on a FAQ page, in a FAQ section or beneath a FAQ heading.

    Elsewhere, several buttons that open an answer, or several terms of a list.
    """
    sections = [page.document.root] if kind == "faq" else list(islice(_sections(page.document), 3))
    parts = [(section, _below_heading(_questions_in([section]), section)) for section in sections]
    if kind != "faq" and not any(asking for _, asking in parts):
        parts = [(page.document.root, _questions_in(_beneath(heading))) for heading in _faq_headings(page.document)][:3]
        if not any(asking for _, asking in parts):
            groups = [[section] for section in sections]
            groups += [list(_beneath(heading)) for heading in islice(_faq_headings(page.document), 3)]
            lined = [faq for group in groups for faq in _lined(group, page)]
            if len(lined) >= MIN_EXPANDABLE:
                yield from lined
                return
            expandable = [pair for pair in _questions_in([page.document.root]) if _is_expandable(pair[0])]
            parts = [(page.document.root, expandable)] if len(expandable) >= MIN_EXPANDABLE else []
    elif kind == "faq" and not any(asking for _, asking in parts):
        lined = list(_lined([page.document.root], page))
        yield from lined if len(lined) >= MIN_EXPANDABLE else ()
        return
    for root, asking in parts:
        nested = {element for element, _ in asking}
        # Of a heading with a toggle in it, only the outer one counts.
        asking = [pair for pair in asking if nested.isdisjoint(islice(pair[0].iterancestors(), MAX_CLIMB))]
        others = {element for element, _ in asking}
        answers = [_answer_beneath(element, others=others, root=root) for element, _ in asking]
        # What follows the last answer is often about something else.
        longest = max(map(len, answers[:-1]), default=MAX_PARTS)
        answers[-1:] = [texts[: max(longest, 1)] for texts in answers[-1:]]
        for (element, question), texts in zip(asking, answers, strict=True):
            confidence = 0.8 if kind == "faq" else 0.7
            yield from _sound(question, " ".join(texts), page, "dom", selector_of(element), confidence)


def _lined(elements: Iterable[etree._Element], page: ReadPage) -> Iterator[_Faq]:
    """Yield lines that ask in a FAQ section, each with the lines up to the next one. The last answer is one line."""
    lines = [line for element in elements for line in islice(lines_of(element), MAX_ASKING)]
    asking = [at for at, line in enumerate(lines) if _ASKS.search(line.text) and _begins_asking(_bare(line.text))]
    asking = [at for at in asking if not _is_teaser(lines[at].element)]
    ends = [*asking[1:], asking[-1] + 2] if asking else []
    for at, end in zip(asking, ends, strict=True):
        answer = " ".join(line.text for line in lines[at + 1 : end])
        yield from _sound(_bare(lines[at].text), answer, page, "dom", selector_of(lines[at].element), 0.65)


def _begins_asking(text: str) -> bool:
    """Return whether a text begins as a question does. In other scripts, its mark has to do."""
    return _BEGINS_ASKING.match(text) is not None or not _LATIN.search(text)


def _questions_in(elements: Iterable[etree._Element]) -> list[tuple[etree._Element, str]]:
    """Return the headings and toggles that end in a question mark, each with its question."""
    result = []
    for root in elements:
        for element in islice(root.iter(*_HEADINGS, *_TOGGLES), MAX_ASKING * 5):
            if element.tag == "summary" or (
                element.tag in _TOGGLES and not _is_toggle(element) and not _begins_paragraph(element)
            ):
                continue
            question = _bare(_without_mark(element, limit=MAX_QUESTION * 2))
            asks = _ASKS.search(question) or _mark_of(element).lower().startswith("q")
            if asks and not _ASKS_VISITOR.match(question) and not _is_teaser(element):
                result.append((element, question))
    return result[:MAX_ASKING]


def _below_heading(
    asking: list[tuple[etree._Element, str]], section: etree._Element
) -> list[tuple[etree._Element, str]]:
    """Return the questions without those above a section's own heading that says FAQ, which ask something else."""
    headings = islice(section.iter("h2", "h3"), MAX_ASKING)
    titles = ((one, text_of(one, limit=80)) for one in headings)
    heading = next((one for one, title in titles if _says_faq(title) and not _ASKS_VISITOR.match(title)), None)
    if heading is None:
        return asking
    places = {element: place for place, element in enumerate(section.iter())}
    return [pair for pair in asking if places[pair[0]] > places[heading]]


def _is_teaser(element: etree._Element) -> bool:
    """Return whether all of an element leads to another page, as the titles of posts do."""
    links = (*islice(element.iter("a"), 1), *islice(element.iterancestors("a"), 1))
    address = next((link.get("href") or "" for link in links if len(text_of(link)) >= len(text_of(element))), "")
    return (address.startswith("/") or "://" in address) and "#" not in address


def _is_expandable(element: etree._Element) -> bool:
    inner = (element, *islice(element.iter("button"), 1))
    if element.tag == "dt" or any(each.tag == "button" or each.get("aria-expanded") for each in inner):
        return True
    return _opens_by_label(element) or _EXPANDABLE.search((element.get("class") or "")[:300].lower()) is not None


def _opens_by_label(element: etree._Element) -> bool:
    """Return whether an element is the label of a hidden checkbox before it, which styles use to open an answer."""
    box = element.getprevious()
    return element.tag == "label" and box is not None and box.tag == "input" and box.get("type") in _BOXES


def _begins_paragraph(element: etree._Element) -> bool:
    """Return whether an element is bold text that begins its paragraph."""
    parent = element.getparent()
    if element.tag not in ("strong", "b") or parent is None or element.getprevious() is not None:
        return False
    return not (parent.text or "").strip()


def _is_toggle(element: etree._Element) -> bool:
    """Return whether an element opens an answer, by its role or its class."""
    if element.get("aria-expanded") or element.get("aria-controls") or element.get("role") == "button":
        return True
    if _opens_by_label(element):
        return True
    return bool(_TOGGLE.search(f"{element.get('class') or ''} {element.get('data-framer-name') or ''}"[:300].lower()))


def _faq_headings(document: Document) -> Iterator[etree._Element]:
    for element in islice(document.root.iter("h2", "h3"), MAX_ASKING):
        if _says_faq(document.shown_text_of(element, limit=80)):
            yield element


def _says_faq(heading: str) -> bool:
    return KIND_OF.get(fold(heading)) == "faq" or (
        len(heading) <= MAX_FAQ_HEADING
        and (not _ASKS.search(heading) or _ASKS_VISITOR.match(heading) is not None)
        and _SAYS_FAQ.search(heading) is not None
    )


def _beneath(heading: etree._Element) -> Iterator[etree._Element]:
    """Yield what follows a heading, up to the next one of its level."""
    for sibling in islice(heading.itersiblings("*"), MAX_ASKING):
        if sibling.tag in ("h1", "h2", heading.tag) or sibling.tag in _END:
            return
        yield sibling


def _sections(document: Document) -> Iterator[etree._Element]:
    """Return the outermost elements called faq, or around a heading that says so."""
    given: set[etree._Element] = set()
    for element in islice(document.root.iter("section", "div", "h2", "h3"), 20_000):
        if element.tag in ("h2", "h3"):
            words = document.shown_text_of(element, limit=80) if len(element) <= MAX_PARTS else ""
            section = element.getparent() if _says_faq(words) else None
            is_framed = element.getprevious() is None and element.getnext() is None
            section = section if section is None or not is_framed else section.getparent()
        else:
            words = f"{element.get('class') or ''} {element.get('id') or ''}"[:300].lower()
            section = element if words != " " and _SECTION.search(words) else None
        if section is None or section.tag in ("body", "html"):
            continue
        if not any(parent in given for parent in (section, *islice(section.iterancestors(), 60))):
            given.add(section)
            yield section


def _in_section(element: etree._Element) -> bool:
    return any(
        _SECTION.search(f"{parent.get('class') or ''} {parent.get('id') or ''}"[:300].lower())
        for parent in islice(element.iterancestors(), MAX_CLIMB)
    )


def _answer_beneath(element: etree._Element, *, others: set[etree._Element], root: etree._Element) -> list[str]:
    """Return the texts after a heading, up to the next question, also outside its own element."""
    at = element
    for _ in range(MAX_CLIMB):
        if parts := list(_texts_after(at, stop_at=others)):
            return parts
        parent = at.getparent()
        if parent is None or at is root or parent is root:
            return []
        if sum(1 for inner in islice(parent.iter(*_HEADINGS, *_TOGGLES), MAX_ASKING) if inner in others) > 1:
            return []
        at = parent
    return []


def _texts_after(element: etree._Element, *, stop_at: set[etree._Element] | None) -> Iterator[str]:
    """Return the texts of an element's later siblings, up to one that contains an element of `stop_at`."""
    if text := clean_text(element.tail or ""):
        yield text
    for count, sibling in enumerate(element.itersiblings()):
        # Builders put the answer of a toggle into a menu's element.
        if (
            count >= MAX_PARTS
            or sibling.tag in ("hr", "address")
            or (sibling.tag in _END and not (count == 0 and _is_toggle(element)))
        ):
            return
        if stop_at is not None and _begins_anew(sibling, stop_at):
            return
        if text := _without_mark(sibling, limit=MAX_ANSWER):
            yield text
        if text := clean_text(sibling.tail or ""):
            yield text


def _begins_anew(element: etree._Element, questions: Iterable[etree._Element]) -> bool:
    if element.tag in _ASKING and element.tag != "button":
        return True
    known = questions if isinstance(questions, set) else set(questions)
    inner = islice(element.iter(*_ASKING, *_TOGGLES), MAX_ASKING)
    return any(heading in known or heading.tag in ("h1", "h2") for heading in inner)


def _without_mark(element: etree._Element, *, limit: int) -> str:
    """Return an element's text without the "Q" or "A" that the first element in it consists of."""
    return text_of(element, limit=limit).removeprefix(_mark_of(element)).strip()


def _mark_of(element: etree._Element) -> str:
    """Return the "Q" or "A" that the first element in an element consists of, or an empty text."""
    first = element
    for _ in range(MAX_CLIMB):
        if len(first) == 0 or (first.text or "").strip():
            break
        first = first[0]
    mark = (first.text or "").strip()
    is_mark = first is not element and _MARK.fullmatch(mark) and _begins_text(mark, (first.tail or "").strip())
    return mark if is_mark else ""


def _begins_text(mark: str, rest: str) -> bool:
    """Return whether the text after a mark can begin there: after "Q", "Can I?", but not "uestions"."""
    return not rest or is_dense(rest) or (mark[0] in "Qq" and rest[0].isupper())


def _bare(question: str) -> str:
    return _NUMBER.sub("", _SIGNS.sub("", question)).strip()


def _sound(
    question: str, answer: str, page: ReadPage, source: Source, selector: str, confidence: float
) -> Iterator[_Faq]:
    """Return the pair, if it is informative and fits a listing."""
    question, answer = _bare(question), _ANSWER_MARK.sub("", cut(answer, MAX_ANSWER)).strip()
    is_question = MIN_QUESTION <= len(question) <= MAX_QUESTION or (len(question) > 2 and not question.isascii())
    if is_question and len(question) <= MAX_QUESTION and len(answer) >= MIN_ANSWER and fold(answer) != fold(question):
        yield _Faq(question, answer, page, source, selector, confidence)
