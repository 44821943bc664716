"""Small tables inside the pages of the admin."""

from collections.abc import Iterable, Sequence

from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.db.models import Model
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

_LINK = '<a class="text-primary-600 dark:text-primary-500" href="{}">{}</a>'


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, empty: str = "None.") -> SafeString:
    """Render rows of cells under their names. Cells with markup stay unchanged."""
    context = {"columns": columns, "rows": [list(zip(columns, row, strict=True)) for row in rows], "empty": empty}
    return render_to_string("admin/parts/table.html", context)


def link_to(row: Model, text: object = None) -> SafeString:
    """Link to a row's admin page, under the row's own name unless a text is given."""
    address = reverse(admin_urlname(row._meta, SafeString("change")), args=[row.pk])
    return format_html(_LINK, address, row if text is None else text)


def link(address: str, text: object) -> SafeString:
    return format_html(_LINK, address, text)
