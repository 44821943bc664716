"""Tags of the text templates of emails: each writes a paragraph, and remembers how the HTML shows it."""

from collections.abc import Iterable

from django import template
from django.template import Context

from apps.core.email.text import COLLECTOR, Block, Kind, Row, one_line

register = template.Library()


@register.simple_tag(takes_context=True)
def button(context: Context, label: str, url: str) -> str:
    """The URL that the email is about."""
    return _address(context, Kind.BUTTON, label, url)


@register.simple_tag(takes_context=True)
def link(context: Context, label: str, url: str) -> str:
    """Another URL."""
    return _address(context, Kind.LINK, label, url)


@register.simple_tag(takes_context=True)
def entry(context: Context, url: str, name: str, words: str) -> str:
    """A list entry with a page: its name, a text, and its URL below."""
    name, words = one_line(name), one_line(words)
    return _keep(context, Block(kind=Kind.ENTRY, text=f"{name}: {words}\n{url}", label=name, words=words, url=url))


@register.simple_tag(takes_context=True)
def heading(context: Context, *words: object) -> str:
    """A heading for the following paragraphs."""
    return _keep(context, Block(kind=Kind.HEADING, text=one_line("".join(map(str, words)))))


@register.simple_tag(takes_context=True)
def note(context: Context, label: str, text: str) -> str:
    """A quoted text, such as the reason of a decision."""
    label, text = one_line(label), one_line(text)
    return _keep(context, Block(kind=Kind.NOTE, text=f"{label}: {text}", label=label, words=text))


@register.simple_tag(takes_context=True)
def code(context: Context, text: str) -> str:
    """A code to type."""
    return _keep(context, Block(kind=Kind.CODE, text=one_line(text)))


@register.simple_tag(takes_context=True)
def table(context: Context, rows: Iterable[Row]) -> str:
    """Lines with a value each, such as a receipt, as one paragraph."""
    clean = [Row(title=one_line(row.title), value=one_line(row.value), is_total=row.is_total) for row in rows]
    text = "\n".join(f"{row.title}: {row.value}" for row in clean)
    return _keep(context, Block(kind=Kind.TABLE, text=text, rows=tuple(clean)))


@register.simple_tag(takes_context=True)
def signature(context: Context, name: str, url: str) -> str:
    """The site that the email comes from. Small print follows."""
    name = one_line(name)
    return _keep(context, Block(kind=Kind.SIGNATURE, text=f"{name}\n{url}", label=name, url=url))


def _address(context: Context, kind: Kind, label: str, url: str) -> str:
    label = one_line(label)
    return _keep(context, Block(kind=kind, text=f"{label}: {url}", label=label, url=url))


def _keep(context: Context, block: Block) -> str:
    collector = context.get(COLLECTOR)
    if collector is not None:
        collector.append(block)
    return block.text
