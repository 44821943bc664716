"""Names of admin pages."""

from typing import Any

from django import template
from django.utils.text import capfirst

register = template.Library()


@register.simple_tag(takes_context=True)
def page_name(context: Any, address: object, default: object) -> str:
    """Return the sidebar's name of the list at this URL, or the default for lists that aren't there."""
    names: dict[str, str] = getattr(context["request"], "admin_names", {})
    return names.get(str(address), capfirst(str(default)))
