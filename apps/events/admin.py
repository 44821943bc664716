"""The audit log in the admin: who did what, when and how, on every site."""

import json
from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from unfold.paginator import InfinitePaginator

from apps.core.admin.base import ModelAdmin, ReadOnly
from apps.core.web.csv_tables import Cell, Table, csv_text
from apps.events.models import Event
from apps.events.types import GROUPS

# In the admin's sidebar: by group, each model with the name of its rows and a Material symbol.
SIDEBAR = {
    "Site": (("events.Event", "Audit log", "manage_search"),),
}

_OBJECT = ("object_type", "object_id")
_COLUMNS = ("id", "at", "site", "type", *_OBJECT, "account", "actor", "via", "credential", "seq", "data")


class GroupFilter(admin.SimpleListFilter):
    """Filter by the first part of the type, such as `order`."""

    title = "type"
    parameter_name = "group"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(group, group.replace("_", " ").capitalize()) for group in sorted(GROUPS)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> QuerySet[Event]:
        group = self.value()
        return queryset.filter(type__startswith=f"{group}.") if group in GROUPS else queryset


@admin.register(Event)
class EventAdmin(ReadOnly, ModelAdmin):
    list_display = ("at", "type", "object_type", "object_id", "account", "actor", "via", "credential", "site")
    list_filter = ("site", GroupFilter, "via", "at")
    list_select_related = ("site", "account", "actor")
    search_fields = ("account__email", "actor__email", "=object_id", "=type", "=credential")
    search_help_text = "Email, type such as order.paid, ID of an object, or name of an API key or app"
    ordering = ("-id",)
    # Counting all events takes longer than showing a page of them.
    paginator = InfinitePaginator
    show_full_result_count = False
    fields = (
        "key",
        "seq",
        "type",
        "at",
        "site",
        "account",
        "actor",
        "via",
        "credential",
        "object_type",
        "object_id",
        "data",
    )
    actions = ("export",)

    @admin.action(description="Export as CSV", permissions=["view"])
    def export(self, request: HttpRequest, queryset: QuerySet[Event]) -> StreamingHttpResponse:
        """Download the chosen events, newest first."""
        table = Table("Events", _COLUMNS, _rows(queryset.select_related("site", "account", "actor")))
        response = StreamingHttpResponse(csv_text(table), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = 'attachment; filename="events.csv"'
        return response


def _rows(events: QuerySet[Event]) -> Iterator[list[Cell]]:
    for event in events.iterator(chunk_size=2000):
        yield [
            event.key,
            event.at,
            event.site.key,
            event.type,
            event.object_type,
            event.object_id,
            event.account.email if event.account else "",
            event.actor.email if event.actor else "",
            event.via,
            event.credential,
            event.seq,
            json.dumps(event.data, ensure_ascii=False),
        ]
