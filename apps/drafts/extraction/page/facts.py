"""The facts of one page, each with its place on the page."""

from dataclasses import dataclass, fields
from typing import Any, Literal

Source = Literal["og", "twitter", "json_ld", "meta", "itemprop", "dom", "text"]

DateKind = Literal["published", "modified", ""]

MAX_RUNNERS_UP = 5


@dataclass(frozen=True)
class Fact:
    """A value read from a page, its place, and the runners-up.

    `confidence` is between 0 and 1. It orders facts and is not a probability. `kind` is what a date is the date of, if
    the page says so.
    """

    value: str
    source: Source
    selector: str
    snippet: str
    confidence: float
    runners_up: tuple["Fact", ...] = ()
    kind: DateKind = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the fact for JSON. Runners-up have no runners-up of their own."""
        shown: dict[str, Any] = {
            "value": self.value,
            "source": self.source,
            "selector": self.selector,
            "snippet": self.snippet,
            "confidence": self.confidence,
        }
        if self.kind:
            shown["kind"] = self.kind
        if self.runners_up:
            shown["runners_up"] = [fact.as_dict() for fact in self.runners_up]
        return shown


@dataclass(frozen=True)
class PageFacts:
    """The facts of a page. None where the page does not state one. `date` is the publication if the page tells it."""

    title: Fact | None = None
    description: Fact | None = None
    image: Fact | None = None
    logo: Fact | None = None
    author: Fact | None = None
    publisher: Fact | None = None
    url: Fact | None = None
    date: Fact | None = None
    modified: Fact | None = None
    lang: Fact | None = None

    def values(self) -> dict[str, str | None]:
        """Return the values alone, by field."""
        facts = ((item.name, getattr(self, item.name)) for item in fields(self))
        return {name: fact.value if fact else None for name, fact in facts}

    def as_dict(self) -> dict[str, Any]:
        """Return the facts for JSON, by field."""
        facts = ((item.name, getattr(self, item.name)) for item in fields(self))
        return {name: fact.as_dict() if fact else None for name, fact in facts}
