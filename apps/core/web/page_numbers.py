"""Paging of HTML lists."""

from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

Row = TypeVar("Row", bound=Model)

# Rows are counted up to this number, because counting a million takes longer than reading a page of them.
COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class PageObject:
    """Return the context of templates/parts/pager.html."""

    page: int
    per_page: int
    total: int
    next_url: str | None
    previous_url: str | None

    @property
    def total_text(self) -> str:
        """`12`, or `1,000+` where counting stopped."""
        return f"{self.total:,}{'+' if self.total >= COUNTED else ''}"

    @property
    def first_row(self) -> int:
        """Index of the page's first row, from 0."""
        return (self.page - 1) * self.per_page


def page_object(request: HttpRequest, *, total: int, per_page: int) -> PageObject:
    """Return the page number in the query string. Invalid numbers lead to an existing page."""
    last = max((total - 1) // per_page + 1, 1)
    page = min(page_asked_for(request), last)
    return page_found(request, page=page, per_page=per_page, total=total, has_next=page < last)


def page_asked_for(request: HttpRequest) -> int:
    """Return the number in the query string, 1-based, or 1 if it is invalid."""
    raw = request.GET.get("page", "1")
    return max(int(raw), 1) if raw.isascii() and raw.isdigit() and len(raw) <= 6 else 1


def page_found(request: HttpRequest, *, page: int, per_page: int, total: int, has_next: bool) -> PageObject:
    """A page that already knows whether another one follows."""
    return PageObject(
        page=page,
        per_page=per_page,
        total=total,
        next_url=_address(request, page + 1) if has_next else None,
        previous_url=_address(request, page - 1) if page > 1 else None,
    )


def page_rows(queryset: QuerySet[Row, Any], page: PageObject) -> QuerySet[Row, Any]:
    """The rows of the page."""
    return queryset[page.first_row : page.first_row + page.per_page]


def counted_page(
    request: HttpRequest, queryset: QuerySet[Row, Any], *, per_page: int, counted: QuerySet[Any, Any] | None = None
) -> tuple[PageObject, list[Row]]:
    """Return the page that the query string asks for, with its rows. Its `total` stops at COUNTED. Two queries.

    `counted` are as many rows, in an order in which they are counted faster, by default without any.
    """
    total = (queryset.order_by() if counted is None else counted)[:COUNTED].count()
    if total < COUNTED:
        page = page_object(request, total=total, per_page=per_page)
        return page, list(page_rows(queryset, page))
    number = page_asked_for(request)
    rows = _rows_and_one_more(queryset, number, per_page)
    if not rows:
        number = COUNTED // per_page
        rows = _rows_and_one_more(queryset, number, per_page)
    page = page_found(request, page=number, per_page=per_page, total=total, has_next=len(rows) > per_page)
    return page, rows[:per_page]


def page_path(path: str, page: PageObject) -> str:
    """Return the canonical path of a list's page. The first page is the list itself."""
    return f"{path}?page={page.page}" if page.page > 1 else path


def _address(request: HttpRequest, page: int) -> str:
    query = request.GET.copy()
    query["page"] = str(page)
    return f"{request.path}?{query.urlencode()}"


def _rows_and_one_more(queryset: QuerySet[Row, Any], number: int, per_page: int) -> list[Row]:
    first = (number - 1) * per_page
    return list(queryset[first : first + per_page + 1])
