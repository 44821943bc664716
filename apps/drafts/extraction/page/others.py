"""What stands on a page and belongs to others: customers that are quoted, photographers, and readers below the text."""

import re
from itertools import islice

from lxml import etree

MAX_ABOVE = 8

_OTHERS_CLASS = re.compile(
    r"testimonial|(?<![\w-])(?:customer[-_]?)?(?:reviews|comments?)(?![\w-])"
    r"|(?<![a-z])(?:img|image|photo|picture)[-_]{1,2}(?:author|credit)"
    r"|(?<![a-z])comments?[-_]{1,2}(?:author|body|content|date|form|header|info|item|list|meta|name|text|time)"
)
_OTHERS_PROPERTIES = frozenset({"comment", "review", "reviews"})


def is_of_others(element: etree._Element) -> bool:
    """Whether an element belongs to a testimonial, a review, a picture or a comment, and not to the page's text.

    A label is for what a reader is to write, and so not of the page either.
    """
    for parent in (element, *islice(element.iterancestors(), MAX_ABOVE)):
        if parent.tag in ("main", "body"):
            return False
        if parent.tag == "label" or _OTHERS_CLASS.search((parent.get("class") or "").lower()):
            return True
        if parent is not element and _OTHERS_PROPERTIES & set((parent.get("itemprop") or "").lower().split()):
            return True
        if parent.tag == "article":
            return False
    return False
