"""Where a page's feeds are, for feed readers that are given the page's address."""

from typing import Any

from django import template
from django.urls import reverse

from apps.sites.seo.feeds import CONTENT_TYPES

register = template.Library()


@register.inclusion_tag("parts/feeds.html")
def feed_links(name: str, title: str, **arguments: str) -> dict[str, Any]:
    """Links to a feed in all its formats, for a page's head; `name` and `arguments` lead to its address."""
    return {
        "feeds": [
            {"title": title, "type": content_type, "url": reverse(name, kwargs={**arguments, "kind": one})}
            for one, content_type in CONTENT_TYPES.items()
        ]
    }
