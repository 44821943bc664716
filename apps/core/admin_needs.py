"""The filter by which a list of the admin shows what waits for the site team."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.core.oversight import needs_of

PARAMETER = "waits"


class WaitsFilter(admin.SimpleListFilter):
    """Each need of the model as a choice; a list of a model without any has no such filter."""

    title = "what waits"
    parameter_name = PARAMETER

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(need.key, need.title) for need in needs_of(model_admin.model)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = [need for need in needs_of(queryset.model) if need.key == self.value()]
        return chosen[0].rows(queryset) if chosen else queryset


class ShowsNeeds:
    """For every admin page: the filter stands first where there is something to choose."""

    def get_list_filter(self: Any, request: HttpRequest) -> Any:
        found = super().get_list_filter(request)  # type: ignore[misc]  # of the admin page that this is mixed into
        return (WaitsFilter, *found) if needs_of(self.model) else found
