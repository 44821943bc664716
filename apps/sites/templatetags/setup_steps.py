"""The reminder of setup steps that are left."""

from typing import Any

from django import template

from apps.sites.setup import may_set_up, steps_of

register = template.Library()


@register.simple_tag(takes_context=True)
def setup_reminder(context: Any) -> str:
    """Return which setup steps are left. Empty for people who can't do them, and once setup is finished."""
    request = context["request"]
    if request.site.set_up_at or not may_set_up(request.user):
        return ""
    left = [step.title.lower() for step in steps_of(request.user) if not step.is_done(request.site)]
    if not left:
        return "All setup steps are done."
    return f"{len(left)} setup step{'' if len(left) == 1 else 's'} left: {', '.join(left)}"
