"""Read a website's robots.txt and decide what to crawl."""

import re
from dataclasses import dataclass
from itertools import islice

from protego import Protego

from apps.core.html import decode

# RFC 9309 requires reading at least this much. The rest is ignored.
MAX_BYTES = 500 * 1024
# A site that asks for longer pauses could not be read within a crawl's minute.
MAX_DELAY_SECONDS = 10.0
MAX_SITEMAPS = 50

# The last one is a byte order mark that was saved once more as text.
_UNSEEN = re.compile(r"[\0\u00ad\u200b\u200e\u200f\u2060\ufeff]|\u00ef\u00bb\u00bf")
_LINE_END = re.compile(r"\r\n?|\n")
# More than Protego uses of a line.
_AGENT_LINE = re.compile(r"\s*user[-\s]*agent[\s:]*([^#]*)", re.IGNORECASE)
_WORD = re.compile(r"[\w.-]+", re.ASCII)
# What word processors and East Asian keyboards write for the characters of the grammar.
_KEY_AND_FIRST = re.compile(r"[^:：/／#]{1,30}[:：]\s*[＊／]?")
_TYPED = str.maketrans("：＊／－−‐‑‒–—―", ":*/--------")


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one origin for one crawler."""

    rules: Protego
    agent: str

    def allows(self, url: str) -> bool:
        """Return whether the crawler may fetch the URL."""
        return bool(self.rules.can_fetch(url, self.agent))

    @property
    def delay_seconds(self) -> float:
        """Return the pause between requests that the site asks for, or 0."""
        seconds = float(self.rules.crawl_delay(self.agent) or 0.0)
        rate = self.rules.request_rate(self.agent)
        if rate is not None and rate.requests > 0:
            seconds = max(seconds, rate.seconds / rate.requests)
        # float() also accepts "nan", which compares with nothing.
        return min(seconds, MAX_DELAY_SECONDS) if seconds > 0 else 0.0

    @property
    def sitemaps(self) -> list[str]:
        """Return the sitemap URLs in the file, up to a limit."""
        return list(islice(self.rules.sitemaps, MAX_SITEMAPS))


def read_robots(body: bytes, *, content_type: str) -> str:
    """Return the text of a robots.txt, up to the limit. Its rules count in any set of characters.

    Signs without a width go: byte order marks wherever the files of a site were joined, zeros, and what was pasted.
    """
    return _UNSEEN.sub("", decode(body[:MAX_BYTES], content_type=content_type))


def parse_robots(text: str, *, agent: str) -> Robots:
    """Parse a robots.txt. An empty text allows everything."""
    return Robots(Protego.parse(merge_others(text, agent=agent)), agent)


def merge_others(text: str, *, agent: str) -> str:
    """Reduce the rules to those of one crawler: rename all others to one name, and drop versions after names.

    Protego copies a group's rules for each crawler it names. Thousands of names over thousands of rules would cost
    minutes and gigabytes.
    """
    own = agent.lower()
    # Protego takes more characters for the end of a line than the standard does.
    lines = (" ".join(line.splitlines()) for line in _LINE_END.split(text))
    return "\n".join(_merged(line, own) for line in lines)


def _merged(line: str, own: str) -> str:
    line = _KEY_AND_FIRST.sub(lambda typed: typed[0].translate(_TYPED), line, count=1)
    result = _AGENT_LINE.match(line)
    if result is None:
        return line
    words = _WORD.findall(result[1].lower())
    # A name may be among others, or in the whole value of the header that the crawler sends.
    name = own if own in words else words[0] if words else ""
    if not name:
        return "User-agent: *" if "*" in result[1] else line
    return f"User-agent: {name if own.startswith(name) else 'others'}"
