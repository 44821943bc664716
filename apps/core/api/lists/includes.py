"""Parts of a response that callers request with `include`."""

from typing import Any, ClassVar

from rest_framework import serializers

from apps.core.api.serializers import QuerySerializer, QueryTextField

PARAMETER = "include"
MAX_LENGTH = 200


class ShortAnswer(serializers.Serializer[Any]):
    """Leave out the fields named in `on_request`, unless `include` in the context names them."""

    on_request: ClassVar[frozenset[str]] = frozenset()

    @property
    def _readable_fields(self) -> list[serializers.Field[Any, Any, Any, Any]]:
        left_out = self.on_request - set(self.context.get(PARAMETER, ()))
        return [field for field in super()._readable_fields if field.field_name not in left_out]


class IncludeField(QueryTextField):
    """Names of parts, separated by commas."""

    def __init__(self, parts: tuple[str, ...]) -> None:
        super().__init__(
            required=False,
            max_length=MAX_LENGTH,
            help_text=f"Adds fields: {','.join(parts)}",
        )
        self._parts = parts

    def to_internal_value(self, data: Any) -> Any:
        names = tuple(name.strip() for name in super().to_internal_value(data).split(","))
        if unknown := [name for name in names if name not in self._parts]:
            message = f"Unknown field {unknown[0]}. Use one or more of: {', '.join(self._parts)}."
            raise serializers.ValidationError(message, code="unknown_field")
        return names


def include_query(*parts: str) -> type[QuerySerializer]:
    """Return the serializer of a query string with `include`."""
    return type("IncludeQuery", (QuerySerializer,), {PARAMETER: IncludeField(parts)})
