"""Find what the texts that people write on listings have in common with others."""

import hashlib
import re
import unicodedata

from apps.core.editing.plain_text import find_links
from apps.core.web.urls import host_of, registrable_domain

_NOT_WORDS = re.compile(r"[\W_]+")


def hosts_in(text: str) -> list[str]:
    """Return the domains that a text links to, each once and in order."""
    hosts = (host_of(match[0]) for match in find_links(text))
    return list(dict.fromkeys((registrable_domain(host) or host)[:253] for host in hosts if host))


def fingerprint_of(text: str) -> str:
    """Return a digest that is the same for texts that differ only in case, punctuation, spaces and look-alike forms."""
    plain = _NOT_WORDS.sub("", unicodedata.normalize("NFKC", text).casefold())
    return hashlib.sha256((plain or text).encode()).hexdigest()
