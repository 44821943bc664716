"""Links to a page's feeds, so that feed readers find them."""

from typing import Any

from django import template
from django.urls import reverse

from apps.sites.seo.feeds import CONTENT_TYPES

register = template.Library()


@register.inclusion_tag("parts/feeds.html")
def feed_links(name: str, title: str, **arguments: str) -> dict[str, Any]:
    """Return links to a feed in all formats, for a page's head. `name` and `arguments` reverse to its URL."""
    return {
        "feeds": [
            {"title": title, "type": content_type, "url": reverse(name, kwargs={**arguments, "kind": one})}
            for one, content_type in CONTENT_TYPES.items()
        ]
    }
