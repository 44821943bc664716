"""Render an operator's Markdown as safe HTML."""

from functools import cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

# The page's own title is the first heading.
_TOP_LEVEL = 2
_LOWEST_LEVEL = 6
# Each element finds its own text direction, because texts mix scripts.
_BLOCKS = {"paragraph_open", "heading_open", "list_item_open", "blockquote_open", "th_open", "td_open"}


def render_markdown(text: str) -> SafeString:
    """Render CommonMark with tables as HTML. Its highest headings become `h2`.

    HTML markup is shown as typed. Pictures are left out, because external ones reveal readers to their host. Links work
    only for safe schemes, so script URLs stay text.
    """
    parser = _parser()
    tokens = parser.parse(text)
    headings = [token for token in tokens if token.type in {"heading_open", "heading_close"}]
    highest = min((_level(token) for token in headings), default=_TOP_LEVEL)
    for token in headings:
        token.tag = f"h{min(_level(token) - highest + _TOP_LEVEL, _LOWEST_LEVEL)}"
    for token in tokens:
        if token.type in _BLOCKS:
            token.attrSet("dir", "auto")
    html: str = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(html)  # noqa: S308 (the parser escapes all that is no Markdown)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def _level(heading: Token) -> int:
    return int(heading.tag[1:])
