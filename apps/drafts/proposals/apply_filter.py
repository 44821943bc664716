"""What of a proposal an owner could send themselves: a value that their own request is refused for helps nobody.

Each value is checked as update_my_listing checks it. In place of one that is refused stands the same address with
https, where the page was read so from the same site, or the first of its runners-up that is taken.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from rest_framework.exceptions import ValidationError

from apps.drafts.extraction.document.addresses import same_site
from apps.listings.fields.serializers import ListingFieldsSerializer

Evidence: TypeAlias = dict[str, Any]
Takes: TypeAlias = Callable[[Any], bool]

# Values that count as empty in a proposal or a listing.
EMPTY: tuple[Any, ...] = (None, "", [], {})

_RUNNER_UP = ("value", "page_url", "source", "selector", "snippet", "confidence")
_INSECURE = "http://"


def drop_unacceptable(found: dict[str, Any]) -> dict[str, Any]:
    """`{fields, evidence, missing}` without the values and runners-up that no owner could send.

    A field of which nothing is left goes to `missing`; fields that owners do not send stay as they are.
    """
    evidence_filter = _EvidenceFilter(found["evidence"])
    checks = ListingFieldsSerializer().fields
    fields: dict[str, Any] = {}
    missing: list[dict[str, str]] = list(found["missing"])
    for name, value in found["fields"].items():
        kept = evidence_filter.field(name, value, _taken_by(checks[name])) if name in checks else value
        if kept in EMPTY:
            missing.append({"field": name, "reason": _reason(value)})
        else:
            fields[name] = kept
    return {"fields": fields, "evidence": list(evidence_filter.evidence.values()), "missing": missing}


class _EvidenceFilter:
    """The evidence of a proposal by its field, put right as values are left out or replaced."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        self.evidence = {item["field"]: item for item in evidence}
        self._digests = {item["page_url"]: item["page_sha256"] for item in self.evidence.values()}

    def field(self, name: str, value: Any, takes: Takes) -> Any:
        """What is left of a field's value; nothing if none of it is taken."""
        match value:
            case str():
                return self._text(name, value, takes)
            case dict():
                parts = {key: self._text(f"{name}.{key}", part, _part(takes, key)) for key, part in value.items()}
                return {key: part for key, part in parts.items() if part}
            case list():
                return self._entries(name, value, lambda entry: takes([entry]))
        if takes(value):
            return value
        self.evidence.pop(name, None)
        return None

    def _entries(self, name: str, entries: list[Any], takes: Takes) -> list[Any]:
        """The entries that are taken, each with its evidence under its new number."""
        kept: list[Any] = []
        for number, entry in enumerate(entries):
            at, to = f"{name}.{number}", f"{name}.{len(kept)}"
            left = self._text(at, entry, takes) if isinstance(entry, str) else entry if takes(entry) else None
            item = self.evidence.pop(at, None) if at != to or not left or left in kept else None
            if left and left not in kept:
                kept.append(left)
                if item:
                    self.evidence[to] = {**item, "field": to}
        return kept

    def _text(self, at: str, value: str, takes: Takes) -> str:
        """Return the best valid text with valid runners-up, or an empty result."""
        item = self.evidence.get(at)
        if item is None:
            return value if takes(value) else ""
        sound = [usable for one in (item, *item["runners_up"]) if (usable := _usable(one, takes))]
        distinct: dict[str, Evidence] = {}
        for one in sound:
            distinct.setdefault(one["value"], one)
        if not distinct:
            del self.evidence[at]
            return ""
        first, *others = distinct.values()
        digest = self._digests.get(first["page_url"], item["page_sha256"])
        runners_up = [{key: one[key] for key in _RUNNER_UP} for one in others]
        self.evidence[at] = {**item, **first, "page_sha256": digest, "runners_up": runners_up}
        return str(first["value"])


def _part(takes: Takes, key: str) -> Takes:
    return lambda part: takes({key: part})


def _usable(one: Mapping[str, Any], takes: Takes) -> Evidence | None:
    """The evidence with a value that is taken: as it was read, or else with https."""
    value = str(one["value"])
    if takes(value):
        return dict(one)
    secured = f"https://{value[len(_INSECURE) :]}" if value.startswith(_INSECURE) else ""
    is_near = one["page_url"].startswith("https://") and same_site(value, one["page_url"])
    return {**one, "value": secured} if secured and is_near and takes(secured) else None


def _taken_by(check: Any) -> Takes:
    def takes(value: Any) -> bool:
        try:
            check.run_validation(value)
        except ValidationError:
            return False
        return True

    return takes


def _reason(value: Any) -> str:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    if any(isinstance(part, str) and part.startswith(_INSECURE) for part in parts):
        return "The website only links to it over http. Listings need https."
    return "The website's value isn't valid for a listing."
