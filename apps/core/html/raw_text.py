"""Find the end of script, title and similar text. Source: HTML, 'Tokenization'."""

import re
from functools import cache

# HTML white space, for a character class. Python's has more characters.
BLANKS = r"\t\n\f\r\x20"
_SCRIPT_MARK = re.compile(rf"<!--(?!-?>)|-->|<(/?)script(?=[{BLANKS}/>])", re.IGNORECASE | re.ASCII)


def end_of_text(html: str, at: int, name: str) -> int:
    """Return where the end tag of an element begins, or the page's end. Its text starts at `at`."""
    if name == "script":
        return _end_of_script(html, at)
    closing = _end_tag(name).search(html, at)
    return closing.start() if closing else len(html)


def _end_of_script(html: str, at: int) -> int:
    """Do the same for a script. After `<!--`, a second `<script` takes the next end tag for itself."""
    is_comment = is_nested = False
    for mark in _SCRIPT_MARK.finditer(html, at):
        if mark[1] is None:
            is_comment, is_nested = mark[0] == "<!--", False
        elif not mark[1]:
            is_nested = is_comment
        elif is_nested:
            is_nested = False
        else:
            return mark.start()
    return len(html)


@cache
def _end_tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[{BLANKS}/>])", re.IGNORECASE | re.ASCII)
