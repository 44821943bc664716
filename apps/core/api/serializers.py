"""Fields and serializers that reject unknown input and say what to send instead."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.settings import api_settings

from apps.core.api.patterns import SEEN, TEXT, TEXT_TO_SEE, or_blank
from apps.core.errors import FIELD_REQUIRED
from apps.core.text.weeks import week_hint

# Comparing names is slow, so only the first unknown keys of a body are reported.
MAX_UNKNOWN_TOLD = 20
MAX_KEY_COMPARED = 40
MAX_KEY_TOLD = 80
# Keys that differ by more, such as "website" and "site", mean different things.
_MAX_SLIPPED_LETTERS = 2
# In short names, one slip is a large part.
_SHORT = 4
_LIKENESS, _LIKENESS_OF_SHORT = 0.75, 0.6
# What people and assistants often send for another name.
_SYNONYMS = {"tagline": "headline", "twitter": "x", "query": "q", "text": "body", "website": "url"}
_MAX_TEXT_TOLD = 40

_HIDDEN = {"Cc", "Cf", "Co", "Cs"}
_ALLOWED_HIDDEN = {"\n", "\t", "\u200d", "\u200c"}
_SEEN = re.compile(SEEN)
# Such numbers fit in 64 bits, also when multiplied, as pages are.
_MAX_DIGITS = 9
_BOUNDS = {"min_value": "Use {min_value} or more.", "max_value": "Use {max_value} or less."}

_EMPTY: tuple[Any, ...] = ("", [], {})

JsonSchema = Mapping[str, Any]


class StrictListSerializer(serializers.ListSerializer[Any]):
    """A JSON array of objects whose errors say what to send."""

    default_error_messages = {"not_a_list": "Send a list of objects.", "empty": "Send at least one entry."}


class StrictSerializer(serializers.Serializer[Any]):
    """Reject unknown keys by name, and suggest the nearest known key or the place where the key belongs.

    Null for an optional key counts as leaving it out, because clients in strict mode send every key. With
    `empty_clears`, "" and [] are both the empty value of a field that has one.
    `json_schema` adds keywords to the OpenAPI document, such as rules between fields.
    """

    json_schema: JsonSchema = {}
    empty_clears = False
    default_error_messages = {"invalid": "Send an object with {names}."}

    class Meta:
        list_serializer_class = StrictListSerializer

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        known = [name for name, field in self.fields.items() if not field.read_only]
        if not isinstance(data, Mapping):
            text = self.error_messages["invalid"].format(names=", ".join(self._required() or known))
            detail = serializers.ErrorDetail(text, code="invalid")
            raise serializers.ValidationError({api_settings.NON_FIELD_ERRORS_KEY: [detail]})
        is_known = data.keys() <= set(known)
        unknown = {} if is_known else unknown_keys(data, known, inside=self._beside() | self._inside())
        try:
            values: dict[str, Any] = super().to_internal_value(self._cleared(self._without_nulls(data)))
        except serializers.ValidationError as error:
            if not unknown:
                raise
            # Report misspelled keys together with all other problems.
            errors: dict[str, Any] = {**unknown, **cast("dict[str, Any]", error.detail)}
            raise serializers.ValidationError(errors) from None
        if unknown:
            raise serializers.ValidationError(unknown)
        return values

    def _without_nulls(self, data: Any) -> Any:
        if not (isinstance(data, Mapping) and None in data.values()):
            return data
        optional = {name for name, field in self.fields.items() if not field.required}
        return {name: value for name, value in data.items() if value is not None or name not in optional}

    def _cleared(self, data: Any) -> Any:
        if not (self.empty_clears and isinstance(data, Mapping)):
            return data
        empty = {name: _empty_value(field) for name, field in self.fields.items()}
        clearable = {name for name, field in self.fields.items() if field.allow_null or empty[name] is not None}
        return {name: empty[name] if name in clearable and value in _EMPTY else value for name, value in data.items()}

    def _required(self) -> list[str]:
        return [name for name, field in self.fields.items() if field.required and not field.read_only]

    def _beside(self) -> dict[str, str]:
        """Where each key of the object around this one belongs, in words."""
        entry = self.parent if isinstance(self.parent, serializers.ListSerializer) else self
        around = entry.parent
        if not isinstance(around, StrictSerializer):
            return {}
        return dict.fromkeys(around.fields.keys() - self.fields.keys(), f"beside `{entry.field_name}`, not in it")

    def _inside(self) -> dict[str, str]:
        """Where each key of a nested object belongs, in words."""
        places: dict[str, str] = {}
        for name, field in self.fields.items():
            child = getattr(field, "child", None)
            nested = field if isinstance(field, StrictSerializer) else child
            if isinstance(nested, StrictSerializer):
                where = f"in each entry of `{name}`" if nested is child else f"inside `{name}`"
                places |= {key: where for key, _ in nested.fields.items() if key not in places}
        return places


def unknown_keys(
    sent: Iterable[Any], known: Sequence[str], *, what: str = "key", inside: Mapping[str, str] | None = None
) -> dict[str, list[serializers.ErrorDetail]]:
    """Return an error for each unknown key; long keys are shortened, and only the first ones are reported.

    `inside` says where keys of nested objects belong, such as "inside `fields`".
    """
    unknown = [str(key) for key in sent if key not in known][:MAX_UNKNOWN_TOLD]
    return {key[:MAX_KEY_TOLD]: [_unknown(key, known, what, inside or {})] for key in unknown}


def _unknown(key: str, known: Sequence[str], what: str, inside: Mapping[str, str]) -> serializers.ErrorDetail:
    if key in inside:
        return serializers.ErrorDetail(f"Send {key} {inside[key]}.", code="unknown_key")
    near = _nearest(key, known)
    listed = f"Use one of: {', '.join(known)}." if known else "This call takes no keys."
    hint = f"Did you mean {near}?" if near else listed
    return serializers.ErrorDetail(f"Unknown {what} {key[:MAX_KEY_TOLD]}. {hint}", code="unknown_key")


def _nearest(key: str, known: Sequence[str]) -> str | None:
    """Return the known key that is a synonym, that has the same beginning or words, or that is spelled much like it."""
    if not 2 < len(key) <= MAX_KEY_COMPARED:
        return None
    if _SYNONYMS.get(key) in known:
        return _SYNONYMS[key]
    begun = [name for name in known if name.startswith(key) or key.startswith(f"{name}_")]
    words = set(key.split("_"))
    worded = [name for name in known if "_" in name and words.issuperset(name.split("_"))]
    as_long = [name for name in known if abs(len(name) - len(key)) <= _MAX_SLIPPED_LETTERS]
    likeness = _LIKENESS_OF_SHORT if len(key) <= _SHORT else _LIKENESS
    return next(iter(begun or worded or get_close_matches(key, as_long, n=1, cutoff=likeness)), None)


def _empty_value(field: Any) -> Any:
    """Return what is stored of a field without a value, or None if it is null or the field always has one."""
    match field:
        case serializers.ListField() if field.allow_empty:
            return []
        case serializers.DictField() if field.allow_empty:
            return {}
    return "" if getattr(field, "allow_blank", False) else None


class ListedChoiceField(serializers.ChoiceField):
    """A choice whose error lists the choices. The input is not repeated, however long it is."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.error_messages["invalid_choice"] = f"Use one of: {', '.join(map(str, self.choices))}."


class StrictIntegerField(serializers.IntegerField):
    """A JSON integer. Accepts 3.0 (RFC 8259), rejects strings, fractions and booleans."""

    default_error_messages = {"strict": "Send {example}.", **_BOUNDS}

    def to_internal_value(self, data: Any) -> int:
        if type(data) is float and data.is_integer():
            data = int(data)
        if type(data) is not int:
            self.fail("strict", example=self._example())
        return super().to_internal_value(data)

    def _example(self) -> str:
        name = str(self.field_name or "")
        if name.endswith("_cents"):
            return "whole cents, such as 9900 for 99.00"
        return "a year such as 2024" if name.endswith("_year") else "an integer such as 3"


class StrictBooleanField(serializers.BooleanField):
    """A JSON true or false. Rejects strings and numbers."""

    default_error_messages = {"strict": "Send true or false."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("strict")
        return data


class PatternField(serializers.RegexField):
    """A string in one format. `form` names it, such as "an ISO week such as 2026-W50"."""

    def __init__(self, regex: str, *, form: str, **kwargs: Any) -> None:
        super().__init__(regex, error_messages={"invalid": f"Use {form}."}, **kwargs)


class QueryIntegerField(serializers.IntegerField):
    """An integer in a query string, in ASCII digits. Rejects negative ones, and ones too long for the database."""

    default_error_messages = {"digits": "Send an integer such as 3.", **_BOUNDS}

    def to_internal_value(self, data: Any) -> int:
        text = str(data)
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()):
            self.fail("digits")
        if text != digits:
            self.fail("min_value", min_value=self.min_value or 0)
        if len(digits) > _MAX_DIGITS:
            self.fail("max_value", max_value=self.max_value or 10**_MAX_DIGITS - 1)
        return super().to_internal_value(text)


class StrictStringField(serializers.CharField):
    """A JSON string. Rejects numbers and booleans.

    `pattern` goes into the OpenAPI document only: use it where a better error is raised elsewhere.
    """

    default_error_messages = {
        "string": "Send a string.",
        "blank": FIELD_REQUIRED,
        "min_length": "Use at least {min_length} characters.",
        "max_length": "Use at most {max_length} characters.",
    }

    def __init__(self, *, pattern: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.pattern = pattern

    @property
    def json_schema(self) -> JsonSchema:
        """Return the keywords to add to the field's OpenAPI schema."""
        if self.pattern:
            return {"pattern": or_blank(self.pattern) if self.allow_blank else self.pattern}
        return {"pattern": TEXT if self.allow_blank else TEXT_TO_SEE}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("string")
        return super().to_internal_value(data)


class StatedListField(serializers.ListField):
    """A JSON array with extra keywords for its OpenAPI schema."""

    default_error_messages = {
        "not_a_list": "Send a list.",
        "empty": "Send at least one entry.",
        "min_length": "Send at least {min_length} entries.",
        "max_length": "Send at most {max_length} entries.",
    }

    def __init__(self, *, json_schema: JsonSchema | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.json_schema = json_schema or {}

    def to_internal_value(self, data: Any) -> list[Any]:
        if isinstance(data, str) and 0 < len(data) <= _MAX_TEXT_TOLD:
            example = json.dumps([data], ensure_ascii=False)
            raise serializers.ValidationError(f"Send a list, such as {example}.", code="not_a_list")
        result: list[Any] = super().to_internal_value(data)
        return result


class PlainTextField(StrictStringField):
    """Text written by people: normalized to NFC, trimmed, without control and bidi characters."""

    def __init__(self, *, multiline: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.multiline = multiline

    def run_validation(self, data: Any = serializers.empty) -> Any:
        # Clean before validating, so that text without visible characters counts as blank.
        text = clean_text(data, multiline=self.multiline) if isinstance(data, str) else data
        return super().run_validation(text)


class WeekTextField(PlainTextField):
    """An ISO week, or another short word. Longer text is rejected with the week to send."""

    def __init__(self, *, alternative: str = "", **kwargs: Any) -> None:
        super().__init__(max_length=8, **kwargs)
        self._alternative = alternative

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if len(text) > 8:
            raise serializers.ValidationError(week_hint(text, alternative=self._alternative), code="invalid_week")
        return text


class QueryTextField(PlainTextField):
    """Text in a query string. Rejects NUL characters, as JSON bodies do."""

    default_error_messages = {"nul": "Remove the NUL character."}

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if isinstance(data, str) and "\x00" in data:
            self.fail("nul")
        return super().run_validation(data)


def clean_text(text: str, *, multiline: bool = False) -> str:
    """Normalize to NFC, drop control and format characters except joiners, and collapse white space in single lines.

    Return an empty string if no visible character is left.
    """
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = "".join(char for char in text if char in _ALLOWED_HIDDEN or unicodedata.category(char) not in _HIDDEN)
    if not _SEEN.search(text):
        return ""
    return text.strip() if multiline else " ".join(text.split())


@extend_schema_field({"type": "array", "items": {"type": "string"}})
class NextStepsField(serializers.Field[Sequence[str], Any, list[str], Any]):
    """What the owner can do next, as the sentences that `steps` returns."""

    def __init__(self, steps: Callable[[Any], Sequence[str]], *, help_text: str | None = None) -> None:
        super().__init__(source="*", read_only=True, help_text=help_text)
        self._steps = steps

    def to_representation(self, value: Any) -> list[str]:
        return list(self._steps(value))


class QuerySerializer(StrictSerializer):
    """A query string, which has no null."""


class PageQuery(QuerySerializer):
    """The query string of paged lists."""

    page = QueryIntegerField(min_value=1, max_value=1_000_000, default=1, help_text="Page number, starting at 1.")
    per_page = QueryIntegerField(min_value=1, max_value=100, default=20, help_text="Items per page, up to 100.")
