"""Fields and serializers that reject unknown input and say what to send instead."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.core.api.patterns import SEEN, TEXT, TEXT_TO_SEE, or_blank
from apps.core.weeks import week_hint

# Comparing names is slow, so only the first unknown keys of a body are reported.
MAX_UNKNOWN_TOLD = 20
MAX_KEY_COMPARED = 40
MAX_KEY_TOLD = 80

_HIDDEN = {"Cc", "Cf", "Co", "Cs"}
_ALLOWED_HIDDEN = {"\n", "\t", "\u200d", "\u200c"}
_SEEN = re.compile(SEEN)

JsonSchema = Mapping[str, Any]


class StrictSerializer(serializers.Serializer[Any]):
    """Reject unknown keys by name, and suggest the nearest known key or the place where the key belongs.

    With `null_is_absent`, null for an optional key counts as leaving it out, unless the field itself takes null.
    `json_schema` adds keywords to the OpenAPI document, such as rules between fields.
    """

    json_schema: JsonSchema = {}
    null_is_absent = True

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        known = [name for name, field in self.fields.items() if not field.read_only]
        unknown = unknown_keys(data, known, inside=self._inside()) if isinstance(data, Mapping) else {}
        try:
            values: dict[str, Any] = super().to_internal_value(self._without_nulls(data))
        except serializers.ValidationError as error:
            if not unknown:
                raise
            # Report misspelled keys together with all other problems.
            told: dict[str, Any] = {**unknown, **cast("dict[str, Any]", error.detail)}
            raise serializers.ValidationError(told) from None
        if unknown:
            raise serializers.ValidationError(unknown)
        return values

    def _without_nulls(self, data: Any) -> Any:
        if not (self.null_is_absent and isinstance(data, Mapping) and None in data.values()):
            return data
        absent = {name for name, field in self.fields.items() if not (field.required or field.allow_null)}
        return {name: value for name, value in data.items() if value is not None or name not in absent}

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
    near = get_close_matches(key, known, n=1) if len(key) <= MAX_KEY_COMPARED else []
    listed = f"Use one of: {', '.join(known)}." if known else "This call takes none."
    hint = f"Did you mean {near[0]}?" if near else listed
    return serializers.ErrorDetail(f"Unknown {what} {key[:MAX_KEY_TOLD]}. {hint}", code="unknown_key")


class ListedChoiceField(serializers.ChoiceField):
    """A choice whose error lists the choices. The input is not repeated, however long it is."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.error_messages["invalid_choice"] = f"Use one of: {', '.join(map(str, self.choices))}."


class StrictIntegerField(serializers.IntegerField):
    """A JSON integer. Accepts 3.0 (RFC 8259), rejects strings, fractions and booleans."""

    default_error_messages = {"strict": "Send an integer such as 3."}

    def to_internal_value(self, data: Any) -> int:
        if type(data) is float and data.is_integer():
            data = int(data)
        if type(data) is not int:
            self.fail("strict")
        return super().to_internal_value(data)


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
    """An integer in a query string: up to nine ASCII digits."""

    default_error_messages = {"digits": "Send an integer such as 3."}

    def to_internal_value(self, data: Any) -> int:
        text = str(data)
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            self.fail("digits")
        return super().to_internal_value(text)


class StrictStringField(serializers.CharField):
    """A JSON string. Rejects numbers and booleans.

    `pattern` goes into the OpenAPI document only: use it where a better error is raised elsewhere.
    """

    default_error_messages = {"string": "Send a string."}

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

    def __init__(self, *, json_schema: JsonSchema | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.json_schema = json_schema or {}


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


class PageQuery(StrictSerializer):
    """The query string of paged lists."""

    page = QueryIntegerField(min_value=1, max_value=1_000_000, default=1, help_text="Page number, starting at 1.")
    per_page = QueryIntegerField(min_value=1, max_value=100, default=20, help_text="Items per page, up to 100.")
