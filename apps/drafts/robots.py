"""What a website's robots.txt allows."""

from dataclasses import dataclass

from protego import Protego

# RFC 9309 asks for at least this much; what lies beyond is not read.
MAX_BYTES = 500 * 1024
# A site that asks for longer pauses could not be read within the minute a crawl has.
MAX_DELAY_SECONDS = 10.0


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
        # "nan" is a float too, and no order holds for it.
        return min(seconds, MAX_DELAY_SECONDS) if seconds > 0 else 0.0

    @property
    def sitemaps(self) -> list[str]:
        """Addresses of sitemaps, as they stand in the file."""
        return list(self.rules.sitemaps)


def parse_robots(text: str, *, agent: str) -> Robots:
    """The rules in a robots.txt; an empty text allows everything."""
    return Robots(Protego.parse(text), agent)
