"""The base of all viewsets."""

from typing import Any

from django.http import Http404
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from apps.core.api.operation import operation_of
from apps.core.api.serializers import MAX_KEY_TOLD, MAX_UNKNOWN_TOLD, QuerySerializer
from apps.core.errors import NOTHING_HERE, NotFound, unknown_id


class ApiViewSet(GenericViewSet[Any]):
    """Provide authentication, scopes, strict parsing and problem responses to all operations.

    With `lookup_url_kwarg`, the caller's own row is loaded into `self.target` before the operation runs, so that
    ownership is checked before an idempotent response is replayed.
    """

    pagination_class = None
    # The OpenAPI document replaces DRF's OPTIONS metadata.
    metadata_class = None
    filter_backends: list[Any] = []
    target: Any = None
    # The operation that lists the ids of the account's rows.
    listed_by = ""
    unknown = "You have no listing with this id."

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        # Methods that are not operations answer 405 without a lookup.
        if operation_of(self) and self.lookup_url_kwarg in self.kwargs:
            self.target = self._find()

    def _find(self) -> Any:
        try:
            return self.get_object()
        except Http404:
            raise unknown_id(self.listed_by, self.unknown) if self.listed_by else NotFound(NOTHING_HERE) from None

    def parse(self, serializer: type[BaseSerializer[Any]]) -> dict[str, Any]:
        """Return the validated body; raise ValidationError (422) if it is invalid."""
        bound = serializer(data=self.request.data, context=self.get_serializer_context())
        bound.is_valid(raise_exception=True)
        values: dict[str, Any] = bound.validated_data
        return values

    def parse_query(self, serializer: type[QuerySerializer]) -> dict[str, Any]:
        """Return the validated query string; raise ValidationError (422) if it is invalid or has unknown names.

        A name that is sent twice is an error, too: only one of its values would count.
        """
        query = self.request.query_params
        repeated = [name[:MAX_KEY_TOLD] for name, values in query.lists() if len(values) > 1][:MAX_UNKNOWN_TOLD]
        if repeated:
            raise ValidationError({name: [ErrorDetail(f"Send {name} once.", code="repeated")] for name in repeated})
        values: dict[str, Any] = _reader(serializer).run_validation(query.dict())
        return values


# Cached, because validating does not change a serializer, and rebuilding its fields costs more than the rest of a
# request.
_readers: dict[type[QuerySerializer], QuerySerializer] = {}


def _reader(serializer: type[QuerySerializer]) -> QuerySerializer:
    if serializer not in _readers:
        _readers[serializer] = serializer()
    return _readers[serializer]
