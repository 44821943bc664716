"""Drop proposed values that the API would refuse from the owner.

Each value is checked as update_my_listing checks it. A refused one is replaced by its https URL, if its page was read
over https from the same site, or by its first valid runner-up.
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


def drop_unacceptable(found: dict[str, Any], *, fields: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return `{fields, evidence, missing}` without values and runners-up that an owner could not send.

    A field with nothing left is in `missing`. Fields that owners can't send stay unchanged. `fields` are those of a
    serializer, by default of a listing's.
    """
    checks = {name: _taken_by(check) for name, check in (fields or ListingFieldsSerializer().fields).items()}
    return drop(found, checks, reason=_reason)


def drop(found: dict[str, Any], checks: Mapping[str, Takes], *, reason: Callable[[Any], str]) -> dict[str, Any]:
    """Return `{fields, evidence, missing}` without values and runners-up that the check of their field rejects.

    A value is replaced by its first runner-up that passes. A field with nothing left is in `missing` with `reason`.
    """
    evidence_filter = _EvidenceFilter(found["evidence"])
    fields: dict[str, Any] = {}
    missing: list[dict[str, str]] = list(found["missing"])
    for name, value in found["fields"].items():
        result = evidence_filter.field(name, value, checks[name]) if name in checks else value
        if result in EMPTY:
            missing.append({"field": name, "reason": reason(value)})
        else:
            fields[name] = result
    return {"fields": fields, "evidence": list(evidence_filter.evidence.values()), "missing": missing}


class _EvidenceFilter:
    """The evidence of a proposal by field, corrected as values are dropped or replaced."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        self.evidence = {item["field"]: item for item in evidence}
        self._digests = {item["page_url"]: item["page_sha256"] for item in self.evidence.values()}

    def field(self, name: str, value: Any, takes: Takes) -> Any:
        """Return the valid part of a field's value, or nothing."""
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
        """Return the valid entries, each with its evidence under its new number."""
        result: list[Any] = []
        for number, entry in enumerate(entries):
            at, to = f"{name}.{number}", f"{name}.{len(result)}"
            left = self._text(at, entry, takes) if isinstance(entry, str) else entry if takes(entry) else None
            item = self.evidence.pop(at, None) if at != to or not left or left in result else None
            if left and left not in result:
                result.append(left)
                if item:
                    self.evidence[to] = {**item, "field": to}
        return result

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
    """Return the evidence with a valid value: as read, or else with https."""
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
