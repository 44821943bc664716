"""A worker whose time is up stops, whatever part of a page it is at."""

from collections.abc import Iterator

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from apps.drafts.extraction import draft_listing, drafting
from apps.drafts.extraction.document.document import Document
from apps.drafts.extraction.page.candidates import Candidate, decide
from tests.drafts.extraction_pages import home


def test_a_rule_does_not_swallow_the_end_of_the_time() -> None:
    def rule(document: Document) -> Iterator[Candidate]:
        raise SoftTimeLimitExceeded

    with pytest.raises(SoftTimeLimitExceeded):
        decide(home().document, rules=[rule], fallbacks=(), cleaner=lambda value, _: value)


def test_a_fact_does_not_swallow_the_end_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_faqs(pages: object) -> list[object]:
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(drafting, "find_faqs", find_faqs)
    with pytest.raises(SoftTimeLimitExceeded):
        draft_listing([home()])
