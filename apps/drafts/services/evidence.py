"""What a draft read, as its listing keeps it for visitors."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils import timezone

from apps.drafts.models import Draft
from apps.listings.services.evidence import SHOWN_FIELDS, Fact

# Of an entry of these only its title stands in the evidence, so the entry itself is taken from the proposal.
_ENTRIES = frozenset({"faqs", "milestones"})


def facts_of(draft: Draft) -> Iterator[Fact]:
    """Every reading of a field that visitors see, what else could have stood there first and the proposed value last.

    Which of them stands in the listing is the listing's to say. Of questions and milestones that the owner wrote
    others for, nothing is told: what was read of each cannot be told apart from what was changed.
    """
    for item in draft.evidence:
        name, _, part = str(item["field"]).partition(".")
        if name not in SHOWN_FIELDS:
            continue
        if name in _ENTRIES:
            if (entry := _entry(draft, name, part)) is not None:
                yield _fact(draft, name, entry, item)
            continue
        field = str(item["field"]) if name == "socials" else name
        for reading in (*item.get("runners_up", ()), item):
            yield _fact(draft, field, reading["value"], reading)


def _entry(draft: Draft, name: str, part: str) -> Mapping[str, Any] | None:
    entries = draft.proposal.get(name) or []
    is_read = name not in draft.edited and part.isdecimal() and int(part) < len(entries)
    return entries[int(part)] if is_read else None


def _fact(draft: Draft, field: str, value: Any, reading: Mapping[str, Any]) -> Fact:
    return Fact(
        field=field,
        value=value,
        page_url=str(reading["page_url"]),
        snippet=str(reading["snippet"]),
        read_at=draft.finished_at or timezone.now(),
        is_worded=bool(reading.get("is_worded")),
    )
