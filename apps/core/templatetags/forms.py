"""The token of a form, with the account that it was shown to."""

from django import template
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html

from apps.core.editing.kept_forms import SHOWN_TO

register = template.Library()


class _TokenNode(CsrfTokenNode):
    def render(self, context: Context) -> str:
        token = super().render(context)
        account = getattr(getattr(context, "request", None), "user", None)
        # A page without a token must not depend on who is signed in.
        if not token or account is None or account.pk is None:
            return token
        return format_html('{}<input type="hidden" name="{}" value="{}">', token, SHOWN_TO, account.pk)


@register.tag
def csrf_token(parser: Parser, token: Token) -> _TokenNode:
    """Replace Django's tag. What was typed is given back to this account alone (see kept_forms)."""
    return _TokenNode()
