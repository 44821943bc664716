"""Template tags for the page head: search engines and link previews."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from apps.sites.seo.json_ld import json_ld

register = template.Library()


@register.simple_block_tag(name="kept_text")
def kept_text(content: str) -> SafeString:
    """Store the tag's content as one line for reuse: `{% kept_text as page_title %}`."""
    return mark_safe(" ".join(content.split()))  # noqa: S308 (the template engine has escaped it)


@register.simple_tag
def structured_data_script(things: Iterable[Mapping[str, Any]] | None) -> SafeString | str:
    """Return a script element with JSON-LD, or nothing without data."""
    if not things:
        return ""
    return format_html('<script type="application/ld+json">{}</script>', json_ld(things))
