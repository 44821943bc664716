"""Fields and serializers that refuse what they do not understand, with a sentence that says what to do."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.core.api.patterns import SEEN, TEXT, TEXT_TO_SEE, or_blank

# Comparing names is slow: a body full of nonsense is told only its beginning.
MAX_UNKNOWN_TOLD = 20
MAX_KEY_COMPARED = 40
MAX_KEY_TOLD = 80

_HIDDEN = {"Cc", "Cf", "Co", "Cs"}
_ALLOWED_HIDDEN = {"\n", "\t", "\u200d", "\u200c"}
_SEEN = re.compile(SEEN)

JsonSchema = Mapping[str, Any]


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer of request data that refuses unknown keys by name, with the nearest known one.

    `json_schema` has keywords that the OpenAPI document adds: rules between fields.
    """

    json_schema: JsonSchema = {}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        known = [name for name, field in self.fields.items() if not field.read_only]
        unknown = unknown_keys(data, known) if isinstance(data, Mapping) else {}
        try:
            values: dict[str, Any] = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not unknown:
                raise
            # Whoever mistyped a key learns in the same answer what else is wrong.
            told: dict[str, Any] = {**unknown, **cast("dict[str, Any]", error.detail)}
            raise serializers.ValidationError(told) from None
        if unknown:
            raise serializers.ValidationError(unknown)
        return values


def unknown_keys(
    sent: Iterable[Any], known: Sequence[str], *, what: str = "key"
) -> dict[str, list[serializers.ErrorDetail]]:
    """The refusal of each key that is not known, with the nearest one; of many and of long ones the beginning."""
    unknown = [str(key) for key in sent if key not in known][:MAX_UNKNOWN_TOLD]
    return {key[:MAX_KEY_TOLD]: [_unknown(key, known, what)] for key in unknown}


def _unknown(key: str, known: Sequence[str], what: str) -> serializers.ErrorDetail:
    near = get_close_matches(key, known, n=1) if len(key) <= MAX_KEY_COMPARED else []
    hint = f"Did you mean {near[0]}?" if near else f"Known {what}s: {', '.join(known) or 'none'}."
    return serializers.ErrorDetail(f"{key[:MAX_KEY_TOLD]} is not a known {what}. {hint}", code="unknown_key")


class StrictIntegerField(serializers.IntegerField):
    """A JSON integer, which 3.0 is too (RFC 8259 knows one kind of number): no strings, no fractions, no booleans."""

    default_error_messages = {"strict": "This must be a JSON integer, such as 3."}

    def to_internal_value(self, data: Any) -> int:
        if type(data) is float and data.is_integer():
            data = int(data)
        if type(data) is not int:
            self.fail("strict")
        return super().to_internal_value(data)


class StrictBooleanField(serializers.BooleanField):
    """A JSON true or false: no strings, no numbers."""

    default_error_messages = {"strict": "This must be true or false."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("strict")
        return data


class PatternField(serializers.RegexField):
    """A text of one form; its description says which, and a refusal says the same."""

    def __init__(self, regex: str, *, help_text: str, **kwargs: Any) -> None:
        refusal = f"This has another form. {help_text}"
        super().__init__(regex, help_text=help_text, error_messages={"invalid": refusal}, **kwargs)


class QueryIntegerField(serializers.IntegerField):
    """A whole number in a query string: ASCII digits only, at most nine."""

    default_error_messages = {"digits": "This must be a whole number, such as 3."}

    def to_internal_value(self, data: Any) -> int:
        text = str(data)
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            self.fail("digits")
        return super().to_internal_value(text)


class StrictStringField(serializers.CharField):
    """A JSON string as it is: no numbers, no booleans.

    `pattern` is what the OpenAPI document says of a text that is checked in more words than a pattern has.
    """

    default_error_messages = {"string": "This must be a string."}

    def __init__(self, *, pattern: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.pattern = pattern

    @property
    def json_schema(self) -> JsonSchema:
        """What the OpenAPI document adds to the field's standard rules."""
        if self.pattern:
            return {"pattern": or_blank(self.pattern) if self.allow_blank else self.pattern}
        return {"pattern": TEXT if self.allow_blank else TEXT_TO_SEE}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("string")
        return super().to_internal_value(data)


class StatedListField(serializers.ListField):
    """A JSON array; `json_schema` has what the OpenAPI document adds to its standard rules."""

    def __init__(self, *, json_schema: JsonSchema | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.json_schema = json_schema or {}


class PlainTextField(StrictStringField):
    """Text of people: NFC, without control and bidi characters; trimmed. Markup stays text."""

    def __init__(self, *, multiline: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.multiline = multiline

    def run_validation(self, data: Any = serializers.empty) -> Any:
        # Before anything is measured: what is empty once it is clean, is blank.
        text = clean_text(data, multiline=self.multiline) if isinstance(data, str) else data
        return super().run_validation(text)


class QueryTextField(PlainTextField):
    """Text of people in a query string: with a NUL it is refused, as a body with one is."""

    default_error_messages = {"nul": "This contains a NUL character. Leave it out."}

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if isinstance(data, str) and "\x00" in data:
            self.fail("nul")
        return super().run_validation(data)


def clean_text(text: str, *, multiline: bool = False) -> str:
    """Normalise to NFC, drop control and format characters (joiners stay), fold white space in single lines.

    A text in which nothing can be seen is empty.
    """
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = "".join(char for char in text if char in _ALLOWED_HIDDEN or unicodedata.category(char) not in _HIDDEN)
    if not _SEEN.search(text):
        return ""
    return text.strip() if multiline else " ".join(text.split())


@extend_schema_field({"type": "array", "items": {"type": "string"}})
class NextStepsField(serializers.Field[Sequence[str], Any, list[str], Any]):
    """What can be done next with an object, in sentences that `steps` gives: the same for REST and tools."""

    def __init__(self, steps: Callable[[Any], Sequence[str]], *, help_text: str | None = None) -> None:
        super().__init__(source="*", read_only=True, help_text=help_text)
        self._steps = steps

    def to_representation(self, value: Any) -> list[str]:
        return list(self._steps(value))


class PageQuery(StrictSerializer):
    """The query of every paged list."""

    page = QueryIntegerField(min_value=1, max_value=1_000_000, default=1, help_text="1-based page number.")
    per_page = QueryIntegerField(min_value=1, max_value=100, default=20, help_text="Items a page, at most 100.")
