"""Paged responses: `{items, page, per_page, total, next, previous}`."""

from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from apps.core.api.lists.rows import Page


@cache
def page_of(item: type[serializers.BaseSerializer[Any]]) -> type[serializers.Serializer[Any]]:
    """Return the serializer of a page of `item`, under its own component name in the schema."""
    name = item.__name__.removesuffix("Serializer")
    fields = {
        "items": item(many=True),
        "page": serializers.IntegerField(help_text="Current page, starting at 1."),
        "per_page": serializers.IntegerField(),
        "total": serializers.IntegerField(help_text="Number of items on all pages."),
        "next": serializers.CharField(allow_null=True, help_text="URL of the next page, or null."),
        "previous": serializers.CharField(allow_null=True, help_text="URL of the previous page, or null."),
    }
    return type(f"{name}PageSerializer", (serializers.Serializer,), fields)


def paginate(
    queryset: QuerySet[Any],
    *,
    request: Request,
    page: int,
    per_page: int,
    item: type[serializers.BaseSerializer[Any]],
    context: dict[str, Any] | None = None,
    look_at: Callable[[list[Any]], None] = lambda rows: None,
) -> dict[str, Any]:
    """Return one page of `queryset` rendered by `item`. A page past the end is empty. Two queries.

    `look_at` gets the page's rows.
    """
    total = queryset.count()
    start = (page - 1) * per_page
    rows = list(queryset[start : start + per_page]) if start < total else []
    look_at(rows)
    items = item(rows, many=True, context=context or {"request": request}).data
    return page_answer(Page(items, total, start + per_page < total), request=request, page=page, per_page=per_page)


def page_answer(result: Page[Any], *, request: Request, page: int, per_page: int) -> dict[str, Any]:
    """Return the response for a page of rendered items."""
    return {
        "items": result.items,
        "page": page,
        "per_page": per_page,
        "total": result.total,
        "next": _address(request, page + 1) if result.has_next else None,
        "previous": _address(request, page - 1) if page > 1 else None,
    }


def _address(request: Request, page: int) -> str:
    query = urlencode({**request.query_params.dict(), "page": page})
    return request.build_absolute_uri(f"{request.path}?{query}")
