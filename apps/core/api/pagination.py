"""Paged answers: `{items, page, per_page, total, next, previous}`."""

from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request


@cache
def page_of(item: type[serializers.BaseSerializer[Any]]) -> type[serializers.Serializer[Any]]:
    """The serializer of a page of `item`, under a component name of its own in the schema."""
    name = item.__name__.removesuffix("Serializer")
    fields = {
        "items": item(many=True),
        "page": serializers.IntegerField(help_text="This page, 1-based."),
        "per_page": serializers.IntegerField(),
        "total": serializers.IntegerField(help_text="Items on all pages."),
        "next": serializers.CharField(allow_null=True, help_text="Address of the next page, or null."),
        "previous": serializers.CharField(allow_null=True, help_text="Address of the page before, or null."),
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
) -> dict[str, Any]:
    """One page of `queryset` rendered by `item`; a page past the end is empty. Two queries."""
    total = queryset.count()
    start = (page - 1) * per_page
    rows = list(queryset[start : start + per_page]) if start < total else []
    return page_answer(
        rows,
        request=request,
        page=page,
        per_page=per_page,
        total=total,
        has_next=start + per_page < total,
        item=item,
        context=context,
    )


def page_answer(
    rows: Sequence[Any],
    *,
    request: Request,
    page: int,
    per_page: int,
    total: int,
    has_next: bool,
    item: type[serializers.BaseSerializer[Any]],
    context: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The answer with one page of rows, rendered by `item`."""
    return {
        "items": item(rows, many=True, context=context or {"request": request}).data,
        "page": page,
        "per_page": per_page,
        "total": total,
        "next": _address(request, page + 1) if has_next else None,
        "previous": _address(request, page - 1) if page > 1 else None,
    }


def _address(request: Request, page: int) -> str:
    query = urlencode({**request.query_params.dict(), "page": page})
    return request.build_absolute_uri(f"{request.path}?{query}")
