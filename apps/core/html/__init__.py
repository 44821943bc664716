"""Parse untrusted bytes into a tree, in bounded time and memory."""

from apps.core.html.charset import decode
from apps.core.html.tree import UnreadablePage, parse, parse_within_limits

__all__ = ["UnreadablePage", "decode", "parse", "parse_within_limits"]
