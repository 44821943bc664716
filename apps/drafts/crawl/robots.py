"""Read a website's robots.txt and decide what to crawl."""

import re
from dataclasses import dataclass
from itertools import islice

from protego import Protego

# RFC 9309 asks for at least this much; what lies beyond is not read.
MAX_BYTES = 500 * 1024
# A site that asks for longer pauses could not be read within the minute a crawl has.
MAX_DELAY_SECONDS = 10.0
MAX_SITEMAPS = 50

# All that Protego takes for the line, and some more.
_AGENT_LINE = re.compile(r"\s*user[-\s]*agent[\s:]*([^#]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one origin for one crawler."""

    rules: Protego
    agent: str

    def allows(self, url: str) -> bool:
        """Whether the crawler may fetch the address."""
        return bool(self.rules.can_fetch(url, self.agent))

    @property
    def delay_seconds(self) -> float:
        """The pause between requests that the site asks for, 0 if none."""
        seconds = float(self.rules.crawl_delay(self.agent) or 0.0)
        rate = self.rules.request_rate(self.agent)
        if rate is not None and rate.requests > 0:
            seconds = max(seconds, rate.seconds / rate.requests)
        # "nan" is a float too, and no order holds for it.
        return min(seconds, MAX_DELAY_SECONDS) if seconds > 0 else 0.0

    @property
    def sitemaps(self) -> list[str]:
        """Return the sitemap URLs in the file, up to a limit."""
        return list(islice(self.rules.sitemaps, MAX_SITEMAPS))


def parse_robots(text: str, *, agent: str) -> Robots:
    """The rules in a robots.txt; an empty text allows everything."""
    return Robots(Protego.parse(merge_others(text, agent=agent)), agent)


def merge_others(text: str, *, agent: str) -> str:
    """The same rules for one crawler, with all others under one name, and versions behind names left out.

    Protego keeps the rules of a group once for each crawler that the group names: thousands of names above thousands
    of rules would be minutes and gigabytes.
    """
    own = agent.lower()
    return "\n".join(_merged(line, own) for line in text.splitlines())


def _merged(line: str, own: str) -> str:
    found = _AGENT_LINE.match(line)
    if found is None:
        return line
    name = found[1].partition("/")[0].replace("*", "").strip().lower()
    if not name:
        return "User-agent: *" if "*" in found[1] else line
    return f"User-agent: {name if own.startswith(name) else 'others'}"
