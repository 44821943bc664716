"""The base of all viewsets."""

from typing import Any

from django.http import Http404
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from apps.core.api.operation import operation_of
from apps.core.errors import NotFound


class ApiViewSet(GenericViewSet[Any]):
    """Authentication, scope, strict JSON and problem answers; operations add parse, one service call, serialize.

    For a path with `lookup_url_kwarg` the caller's own row is looked up before the operation runs, so that
    ownership comes before an idempotent replay; it stands in `self.target`.
    """

    pagination_class = None
    # OPTIONS describes nothing here: the OpenAPI document does.
    metadata_class = None
    filter_backends: list[Any] = []
    target: Any = None
    # The operation that lists the account's own rows with their ids.
    listed_by = ""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        # A method that is no operation is refused by its handler, before anything is looked up.
        if operation_of(self) and self.lookup_url_kwarg in self.kwargs:
            self.target = self._find()

    def _find(self) -> Any:
        try:
            return self.get_object()
        except Http404:
            steps = [f"{self.listed_by} says which there are."] if self.listed_by else []
            raise NotFound("There is nothing at this address.", next_steps=steps) from None

    def parse(self, serializer: type[BaseSerializer[Any]]) -> dict[str, Any]:
        """The validated body as the serializer's dictionary; raises ValidationError (422)."""
        bound = serializer(data=self.request.data, context=self.get_serializer_context())
        bound.is_valid(raise_exception=True)
        values: dict[str, Any] = bound.validated_data
        return values

    def parse_query(self, serializer: type[BaseSerializer[Any]]) -> dict[str, Any]:
        """The validated query string; unknown names are refused like unknown keys of a body."""
        bound = serializer(data=self.request.query_params.dict(), context=self.get_serializer_context())
        bound.is_valid(raise_exception=True)
        values: dict[str, Any] = bound.validated_data
        return values
