"""What a draft proposes, each value with the places it was found at."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from dataclasses import field as with_default
from functools import cached_property
from hashlib import sha256 as digest_of
from typing import Any

from apps.core.html.charset import decode
from apps.core.html.tree import parse
from apps.drafts.extraction.document.document import Document
from apps.drafts.extraction.document.lines import Line, lines_of
from apps.drafts.extraction.document.protected_emails import reveal_mails
from apps.drafts.extraction.page.facts import MAX_RUNNERS_UP, SNIPPET_CHARACTERS, Fact, PageFacts, Source
from apps.drafts.extraction.page.facts_reader import facts_of, shown_logo_of


@dataclass(frozen=True)
class ReadPage:
    """A page that was fetched and parsed; `sha256` is that of the bytes as they came."""

    url: str
    document: Document
    sha256: str

    @classmethod
    def open(cls, body: bytes, *, url: str, content_type: str) -> "ReadPage":
        """Decode and parse a page; raises `UnreadablePage` as `parse` does."""
        return cls.of_text(decode(body, content_type=content_type), body=body, url=url)

    @classmethod
    def of_text(cls, text: str, *, body: bytes, url: str) -> "ReadPage":
        """Parse a page that is decoded already, whose bytes were `body`; raises `UnreadablePage` as `parse` does."""
        root = parse(text)
        reveal_mails(root)
        return cls(url, Document(root, url=url), digest_of(body).hexdigest())

    @cached_property
    def facts(self) -> PageFacts:
        """The facts of the page."""
        return facts_of(self.document)

    @property
    def shown_logo(self) -> Fact | None:
        """The picture that the page's header shows as the site's mark, for a page that declares no logo."""
        return shown_logo_of(self.document)

    @cached_property
    def lines(self) -> list[Line]:
        """The lines of text a reader sees, at most so many."""
        return lines_of(self.document.root)


@dataclass(frozen=True)
class Find:
    """One possible value of a field, and where it stands."""

    value: str
    page: ReadPage
    source: Source
    selector: str
    snippet: str
    confidence: float


@dataclass(frozen=True)
class Entry:
    """One entry of a list, such as a question with its answer, and where it stands, best first."""

    value: Any
    finds: list[Find]


@dataclass(frozen=True)
class Evidence:
    """Why a field has its value: the page, the place on it, and what else could have stood there."""

    field: str
    value: str
    page_url: str
    source: Source
    selector: str
    snippet: str
    page_sha256: str
    confidence: float
    runners_up: list[dict[str, Any]] = with_default(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The evidence as JSON takes it."""
        return {
            "field": self.field,
            "value": self.value,
            "page_url": self.page_url,
            "source": self.source,
            "selector": self.selector,
            "snippet": self.snippet,
            "page_sha256": self.page_sha256,
            "confidence": self.confidence,
            "runners_up": self.runners_up,
        }


@dataclass
class Proposal:
    """Proposed fields of a listing, their evidence, and which fields stay empty and why."""

    fields: dict[str, Any] = with_default(default_factory=dict)
    evidence: list[Evidence] = with_default(default_factory=list)
    missing: list[dict[str, str]] = with_default(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The proposal as JSON takes it."""
        return {
            "fields": self.fields,
            "evidence": [item.as_dict() for item in self.evidence],
            "missing": self.missing,
        }

    def propose(self, name: str, finds: list[Find], *, reason: str, of: Callable[[str], Any] = str) -> str | None:
        """Set a field to its first find, the others being runners-up, or note `reason` if there is none.

        `of` makes the field's value, such as a number, out of the find's text.
        """
        if not finds:
            self.missing.append({"field": name, "reason": reason})
            return None
        self.fields[name] = of(finds[0].value)
        self.evidence.append(evidence_of(name, finds))
        return finds[0].value

    def propose_list(self, name: str, entries: list[Entry], *, reason: str) -> None:
        """Set a field to the values of entries, each with its evidence as `name.N`, or note `reason`."""
        if not entries:
            self.missing.append({"field": name, "reason": reason})
            return
        self.fields[name] = [entry.value for entry in entries]
        self.evidence.extend(evidence_of(f"{name}.{number}", entry.finds) for number, entry in enumerate(entries))


def evidence_of(name: str, finds: list[Find]) -> Evidence:
    """The evidence for a field whose value is that of the first find."""
    first, *others = finds
    return Evidence(
        field=name,
        value=first.value,
        page_url=first.page.url,
        source=first.source,
        selector=first.selector,
        snippet=first.snippet[:SNIPPET_CHARACTERS],
        page_sha256=first.page.sha256,
        confidence=round(first.confidence, 2),
        runners_up=[_short(find) for find in _distinct(first.value, others)],
    )


def _distinct(value: str, finds: Iterable[Find]) -> list[Find]:
    seen = {value}
    kept: list[Find] = []
    for find in finds:
        if find.value not in seen and len(kept) < MAX_RUNNERS_UP:
            seen.add(find.value)
            kept.append(find)
    return kept


def _short(find: Find) -> dict[str, Any]:
    return {
        "value": find.value,
        "page_url": find.page.url,
        "source": find.source,
        "selector": find.selector,
        "snippet": find.snippet[:SNIPPET_CHARACTERS],
        "confidence": round(find.confidence, 2),
    }


def finds_of(fact: Fact | None, page: ReadPage) -> list[Find]:
    """A page's fact and its runners-up as finds, best first."""
    facts = (fact, *fact.runners_up) if fact else ()
    return [Find(item.value, page, item.source, item.selector, item.snippet, item.confidence) for item in facts]
